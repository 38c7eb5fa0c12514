//! Who we are and what we may do. See capabilities(7), user_namespaces(7).

use super::Privileges;
use super::tree::Tree;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork, geteuid};

/// Names by bit, from linux/capability.h.
const CAPABILITIES: [&str; 41] = [
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_DAC_READ_SEARCH",
    "CAP_FOWNER",
    "CAP_FSETID",
    "CAP_KILL",
    "CAP_SETGID",
    "CAP_SETUID",
    "CAP_SETPCAP",
    "CAP_LINUX_IMMUTABLE",
    "CAP_NET_BIND_SERVICE",
    "CAP_NET_BROADCAST",
    "CAP_NET_ADMIN",
    "CAP_NET_RAW",
    "CAP_IPC_LOCK",
    "CAP_IPC_OWNER",
    "CAP_SYS_MODULE",
    "CAP_SYS_RAWIO",
    "CAP_SYS_CHROOT",
    "CAP_SYS_PTRACE",
    "CAP_SYS_PACCT",
    "CAP_SYS_ADMIN",
    "CAP_SYS_BOOT",
    "CAP_SYS_NICE",
    "CAP_SYS_RESOURCE",
    "CAP_SYS_TIME",
    "CAP_SYS_TTY_CONFIG",
    "CAP_MKNOD",
    "CAP_LEASE",
    "CAP_AUDIT_WRITE",
    "CAP_AUDIT_CONTROL",
    "CAP_SETFCAP",
    "CAP_MAC_OVERRIDE",
    "CAP_MAC_ADMIN",
    "CAP_SYSLOG",
    "CAP_WAKE_ALARM",
    "CAP_BLOCK_SUSPEND",
    "CAP_AUDIT_READ",
    "CAP_PERFMON",
    "CAP_BPF",
    "CAP_CHECKPOINT_RESTORE",
];

/// What this process may do.
pub(super) fn of(tree: &Tree) -> Privileges {
    Privileges {
        root: geteuid().is_root(),
        capabilities: tree.text("proc/self/status").map(|status| effective(&status)).unwrap_or_default(),
        perf_event_paranoid: tree.number("proc/sys/kernel/perf_event_paranoid"),
        ptrace_scope: tree.number("proc/sys/kernel/yama/ptrace_scope"),
        user_namespaces: user_namespace_works(),
    }
}

/// The names of the bits in the CapEff line of /proc/PID/status; newer ones than this program knows by number.
fn effective(status: &str) -> Vec<String> {
    let bits = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
        .unwrap_or(0);
    let name =
        |bit: usize| CAPABILITIES.get(bit).map_or_else(|| format!("CAP_{bit}"), |name| (*name).to_owned());
    (0..64).filter(|bit| bits >> bit & 1 == 1).map(name).collect()
}

/// Try it in a child: several settings, a security module or a seccomp filter may forbid it, and some of them only once
/// the new namespace is used.
fn user_namespace_works() -> bool {
    // SAFETY: the child calls nothing but system calls, so no lock that another thread held at the fork can stop it; and
    // it ends without running anything of ours.
    match unsafe { fork() } {
        Ok(ForkResult::Parent { child }) => loop {
            match waitpid(child, None) {
                Err(nix::Error::EINTR) => {}
                status => break matches!(status, Ok(WaitStatus::Exited(_, 0))),
            }
        },
        Ok(ForkResult::Child) => {
            let works = enter_user_namespace();
            // SAFETY: ends the process, without the parent's exit handlers.
            unsafe { libc::_exit(if works { 0 } else { 1 }) }
        }
        Err(_) => false,
    }
}

/// Make a user and a mount namespace, and use the privilege that it gives: AppArmor may grant the first without the
/// second.
fn enter_user_namespace() -> bool {
    // SAFETY: changes only what this process, a child made for it, sees.
    if unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) } != 0 {
        return false;
    }
    let (nothing, root) = (std::ptr::null(), c"/".as_ptr());
    // SAFETY: `root` is a C string that lives forever, and the other strings may be null for this use; the mount
    // namespace whose propagation it changes is ours alone.
    let made_private =
        unsafe { libc::mount(nothing, root, nothing, libc::MS_REC | libc::MS_PRIVATE, nothing.cast()) };
    made_private == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_names() {
        assert_eq!(effective("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n"), [""; 0]);
        assert_eq!(effective("CapEff:\t0000000000200001\n"), ["CAP_CHOWN", "CAP_SYS_ADMIN"]);
        assert_eq!(effective("CapEff:\t0000028000000000\n"), ["CAP_BPF", "CAP_41"]);
        assert_eq!(effective("CapEff:\tffffffffffffffff\n").len(), 64);
        assert_eq!(effective("CapEff:\tjunk\n"), [""; 0]);
        assert_eq!(effective(""), [""; 0]);
    }

    #[test]
    fn each_bit_has_its_own_name() {
        for (bit, name) in [
            (21, "CAP_SYS_ADMIN"),
            (19, "CAP_SYS_PTRACE"),
            (38, "CAP_PERFMON"),
            (40, "CAP_CHECKPOINT_RESTORE"),
        ] {
            assert_eq!(CAPABILITIES[bit], name);
        }
    }

    #[test]
    fn trying_a_user_namespace_leaves_us_where_we_were() {
        let ours = || std::fs::read_link("/proc/self/ns/user").expect("Linux has namespaces");
        let before = ours();
        user_namespace_works();
        assert_eq!(ours(), before);
    }
}
