//! A small tmpfs that only one process sees: mounted in a user and mount namespace of its own, so that no privilege is
//! needed where user namespaces are allowed, and gone with the process on every way out.
//! See user_namespaces(7), mount_namespaces(7), tmpfs(5).

use crate::Unavailable;
use nix::errno::Errno;
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, fork, getegid, geteuid};
use std::ffi::{CStr, CString};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What a process mounts for itself. Everything is laid out beforehand: the forked child that tries it may not
/// allocate.
#[derive(Debug)]
pub struct OwnTmpfs {
    mount_point: CString,
    options: CString,
    uid_map: String,
    gid_map: String,
}

/// The step at which the kernel said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    Namespaces = 1,
    Maps,
    Private,
    Mount,
}

/// Where and how it was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused {
    step: Step,
    errno: i32,
}

impl OwnTmpfs {
    /// A tmpfs of `size_bytes` over the directory `mount_point`; `huge` asks for huge pages wherever one fits
    /// (`huge=always`), otherwise there are none (`huge=never`).
    pub fn new(mount_point: &Path, size_bytes: u64, huge: bool) -> io::Result<OwnTmpfs> {
        let huge = if huge { "always" } else { "never" };
        let (uid, gid) = (geteuid(), getegid());
        Ok(OwnTmpfs {
            mount_point: CString::new(mount_point.as_os_str().as_bytes())?,
            options: CString::new(format!("size={size_bytes},mode=0700,huge={huge}"))?,
            uid_map: format!("{uid} {uid} 1"),
            gid_map: format!("{gid} {gid} 1"),
        })
    }

    /// Whether it can be had here: everything is tried in a child that ends at once. `what` is what it is needed for.
    pub fn try_out(&self, what: &str) -> Result<(), Unavailable> {
        let failed = |error: io::Error| Unavailable::failed(what, error, "");
        let (mut told, tell) = io::pipe().map_err(failed)?;
        // SAFETY: the child makes nothing but system calls (see `mount`) and leaves through _exit.
        match unsafe { fork() }.map_err(|errno| failed(errno.into()))? {
            ForkResult::Child => {
                let report = match self.mount() {
                    Ok(()) => [0; 5],
                    Err(Refused { step, errno }) => {
                        let [a, b, c, d] = errno.to_ne_bytes();
                        [step as u8, a, b, c, d]
                    }
                };
                // SAFETY: the pipe's end was inherited open, and the buffer has this length.
                unsafe { libc::write(tell.as_raw_fd(), report.as_ptr().cast(), report.len()) };
                // SAFETY: _exit runs nothing of ours and does not return.
                unsafe { libc::_exit(0) }
            }
            ForkResult::Parent { child } => {
                drop(tell);
                let mut report = [0; 5];
                let read = told.read_exact(&mut report);
                while waitpid(child, None) == Err(Errno::EINTR) {}
                read.map_err(failed)?;
                let [step, a, b, c, d] = report;
                let errno = i32::from_ne_bytes([a, b, c, d]);
                let steps = [Step::Namespaces, Step::Maps, Step::Private, Step::Mount];
                match steps.into_iter().find(|known| *known as u8 == step) {
                    None => Ok(()),
                    Some(step) => Err(unavailable(what, Refused { step, errno })),
                }
            }
        }
    }

    /// Enter the namespaces and mount, for the rest of this process's life and its children's. `what` is what it is
    /// needed for. The process must have one thread: unshare(2) refuses a new user namespace to others.
    pub fn enter(&self, what: &str) -> Result<(), Unavailable> {
        self.mount().map_err(|refused| unavailable(what, refused))
    }

    fn mount(&self) -> Result<(), Refused> {
        let checked = |step, result: libc::c_int| {
            if result < 0 { Err(Refused { step, errno: Errno::last_raw() }) } else { Ok(()) }
        };
        // SAFETY: unshare takes flags only and changes nothing of ours in memory.
        let own_user = unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) } == 0;
        if own_user {
            // Without a map we would be "nobody" inside, who may not create files there.
            write_whole(c"/proc/self/setgroups", b"deny")?;
            write_whole(c"/proc/self/uid_map", self.uid_map.as_bytes())?;
            write_whole(c"/proc/self/gid_map", self.gid_map.as_bytes())?;
        } else {
            let errno = Errno::last_raw();
            // SAFETY: as above. Root does not need the user namespace.
            if unsafe { libc::unshare(libc::CLONE_NEWNS) } < 0 {
                return Err(Refused { step: Step::Namespaces, errno });
            }
        }
        // SAFETY: the strings are static or ours and end in NUL; null is allowed for source, type and data here.
        let private = unsafe {
            libc::mount(
                std::ptr::null(),
                c"/".as_ptr(),
                std::ptr::null(),
                libc::MS_REC | libc::MS_PRIVATE,
                std::ptr::null(),
            )
        };
        checked(Step::Private, private)?;
        // SAFETY: all four strings live as long as `self` and end in NUL.
        let mounted = unsafe {
            libc::mount(
                c"tmpfs".as_ptr(),
                self.mount_point.as_ptr(),
                c"tmpfs".as_ptr(),
                libc::MS_NOSUID | libc::MS_NODEV,
                self.options.as_ptr().cast(),
            )
        };
        checked(Step::Mount, mounted)
    }
}

/// Open, write, close: std would allocate.
fn write_whole(path: &CStr, bytes: &[u8]) -> Result<(), Refused> {
    let refused = || Refused { step: Step::Maps, errno: Errno::last_raw() };
    // SAFETY: the path is a C string; open touches nothing else of ours.
    let fd = unsafe { libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC) };
    if fd < 0 {
        return Err(refused());
    }
    // SAFETY: the descriptor was just opened, and the buffer has this length.
    let written = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    let result = if written < 0 { Err(refused()) } else { Ok(()) };
    // SAFETY: the descriptor is ours and used nowhere else.
    unsafe { libc::close(fd) };
    result
}

/// Which privilege is missing, by the step that was refused and the error.
fn unavailable(what: &str, refused: Refused) -> Unavailable {
    let Refused { step, errno } = refused;
    let error = crate::other_process::error_name(errno);
    match (step, errno) {
        (Step::Namespaces, libc::ENOSPC | libc::EUSERS) => Unavailable::lacking(
            what,
            format!("one more user namespace, and their limit is reached ({error})"),
            "raise user.max_user_namespaces with sysctl, or run it as root",
        ),
        (Step::Namespaces, _) => Unavailable::lacking(
            what,
            format!("a user namespace, or CAP_SYS_ADMIN; neither is allowed here ({error})"),
            "run it as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 on Debian); in a \
             container, run it outside",
        ),
        (Step::Maps | Step::Private, _) => Unavailable::lacking(
            what,
            format!("a user namespace that may be set up, and this one may not ({error})"),
            "run it as root; on Ubuntu, sysctl kernel.apparmor_restrict_unprivileged_userns=0 allows it",
        ),
        (Step::Mount, libc::ENOENT | libc::ENOTDIR) => {
            Unavailable::failed(what, "the mount point is gone", "")
        }
        (Step::Mount, libc::EINVAL) => Unavailable::lacking(
            what,
            "a kernel whose tmpfs knows huge pages (CONFIG_TRANSPARENT_HUGEPAGE)",
            "nothing can be done about it on this kernel",
        ),
        (Step::Mount, _) => Unavailable::lacking(
            what,
            format!("mount(2) of a tmpfs in a user namespace, and it is refused here ({error})"),
            "run it as root; on Ubuntu, sysctl kernel.apparmor_restrict_unprivileged_userns=0 allows it",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_privilege_and_what_to_do() {
        let said = |step, errno| unavailable("fill a disk", Refused { step, errno }).to_string();
        insta::assert_snapshot!(
            [
                said(Step::Namespaces, libc::ENOSPC),
                said(Step::Namespaces, libc::EPERM),
                said(Step::Maps, libc::EPERM),
                said(Step::Mount, libc::EACCES),
                said(Step::Mount, libc::EINVAL),
            ]
            .join("\n"),
            @r"
        cannot fill a disk: needs one more user namespace, and their limit is reached (ENOSPC); raise user.max_user_namespaces with sysctl, or run it as root
        cannot fill a disk: needs a user namespace, or CAP_SYS_ADMIN; neither is allowed here (EPERM); run it as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 on Debian); in a container, run it outside
        cannot fill a disk: needs a user namespace that may be set up, and this one may not (EPERM); run it as root; on Ubuntu, sysctl kernel.apparmor_restrict_unprivileged_userns=0 allows it
        cannot fill a disk: needs mount(2) of a tmpfs in a user namespace, and it is refused here (EACCES); run it as root; on Ubuntu, sysctl kernel.apparmor_restrict_unprivileged_userns=0 allows it
        cannot fill a disk: needs a kernel whose tmpfs knows huge pages (CONFIG_TRANSPARENT_HUGEPAGE); nothing can be done about it on this kernel
        "
        );
    }

    #[test]
    fn the_child_mounts_and_nobody_else_sees_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let own = OwnTmpfs::new(directory.path(), 1 << 20, false).expect("no NUL in the path");
        if let Err(why) = own.try_out("test it") {
            return eprintln!("skipped: {why}");
        }
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("always readable");
        assert!(!mounts.contains(&*directory.path().to_string_lossy()));
    }

    #[test]
    fn a_missing_mount_point_is_told() {
        let own = OwnTmpfs::new(Path::new("/nonexistent/place"), 1 << 20, false).expect("no NUL in the path");
        let why = own.try_out("test it").expect_err("nothing to mount over");
        if matches!(why, Unavailable::Lacking { .. }) {
            return eprintln!("skipped: {why}");
        }
        assert_eq!(why.to_string(), "cannot test it: the mount point is gone");
    }
}
