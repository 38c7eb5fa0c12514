//! The seccomp filter that makes every system call stop once, at its entry, and tells the tracer which one it is.
//!
//! The 16 data bits of SECCOMP_RET_TRACE carry the call's number, so that the tracer reads no registers and the same
//! code works on every architecture. See seccomp(2) and PTRACE_EVENT_SECCOMP in ptrace(2).

use super::marks;
use nix::errno::Errno;
use std::ffi::c_ushort;
use std::mem::offset_of;

/// Greatest number that stands for itself; the rest of the 16 bits have meanings of their own.
const LAST_NUMBER: u16 = 0xff00;
const FOREIGN: u16 = 0xfffd;
const START: u16 = 0xfffe;
const END: u16 = 0xffff;

/// What one stop stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entry {
    /// A system call of this machine's own numbering.
    Number(u16),
    /// A call of another numbering: 32-bit or x32 code on a 64-bit kernel, or a number that no kernel has given out.
    Foreign,
    /// The start mark.
    Start,
    /// The end mark.
    End,
}

impl Entry {
    /// The data of a SECCOMP_RET_TRACE stop, as PTRACE_GETEVENTMSG gives it.
    pub(crate) fn from_message(message: u16) -> Entry {
        match message {
            START => Entry::Start,
            END => Entry::End,
            0..=LAST_NUMBER => Entry::Number(message),
            _ => Entry::Foreign,
        }
    }
}

/// AUDIT_ARCH_* of this build, see linux/audit.h; None where nobody has told us.
const ARCH: Option<u32> = if cfg!(all(target_arch = "x86_64", target_pointer_width = "64")) {
    Some(0xc000_003e)
} else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
    Some(0xc000_00b7)
} else if cfg!(target_arch = "riscv64") {
    Some(0xc000_00f3)
} else {
    None
};

/// A filter ready to be installed, without allocating, between fork and exec.
#[derive(Clone, Debug)]
pub(crate) struct Filter(Vec<libc::sock_filter>);

impl Filter {
    /// The filter for this machine; None for an architecture whose AUDIT_ARCH is not written here.
    pub(crate) fn new() -> Option<Filter> {
        Some(Filter(program(ARCH?)))
    }

    /// prctl(2) PR_SET_SECCOMP: from now on, and over exec and fork, every call of this thread stops for its tracer.
    /// Needs no_new_privs or CAP_SYS_ADMIN. Without a tracer that asked for the stops each call fails with ENOSYS.
    pub(crate) fn install(&self) -> Result<(), Errno> {
        let program = libc::sock_fprog { len: self.0.len() as c_ushort, filter: self.0.as_ptr().cast_mut() };
        // SAFETY: the kernel only reads `len` instructions at `filter`, both of which live in `self` over the call.
        let result = unsafe {
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, std::ptr::from_ref(&program))
        };
        Errno::result(result).map(drop)
    }
}

/// struct seccomp_data is little-endian on all architectures above: the low half of an argument stands first, and
/// prctl(2) looks at no more of its option.
fn program(arch: u32) -> Vec<libc::sock_filter> {
    use libc::{BPF_A, BPF_ALU, BPF_JEQ, BPF_JGT, BPF_OR, BPF_RET, SECCOMP_RET_TRACE};
    let stop = |data: u16| statement(BPF_RET, SECCOMP_RET_TRACE | u32::from(data));
    vec![
        load(offset_of!(libc::seccomp_data, arch)),
        jump(BPF_JEQ, arch, 0, 9),
        load(offset_of!(libc::seccomp_data, nr)),
        jump(BPF_JGT, u32::from(LAST_NUMBER), 7, 0),
        jump(BPF_JEQ, libc::SYS_prctl as u32, 0, 4),
        load(offset_of!(libc::seccomp_data, args)),
        jump(BPF_JEQ, marks::START, 5, 0),
        jump(BPF_JEQ, marks::END, 5, 0),
        load(offset_of!(libc::seccomp_data, nr)),
        statement(BPF_ALU | BPF_OR, SECCOMP_RET_TRACE),
        statement(BPF_RET | BPF_A, 0),
        stop(FOREIGN),
        stop(START),
        stop(END),
    ]
}

/// One instruction that does not jump; BPF_K is 0.
fn statement(code: u32, k: u32) -> libc::sock_filter {
    jump_or_not(code, k, 0, 0)
}

/// Load 32 bits of struct seccomp_data.
fn load(offset: usize) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset as u32)
}

/// Compare with `k`; skip `yes` or `no` instructions.
fn jump(comparison: u32, k: u32, yes: u8, no: u8) -> libc::sock_filter {
    jump_or_not(libc::BPF_JMP | comparison, k, yes, no)
}

fn jump_or_not(code: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The few instructions that the filter uses, on a call with these words of struct seccomp_data.
    fn decide(arch: u32, number: u32, option: u32) -> Entry {
        let program = program(0xc000_003e);
        let (mut at, mut a) = (0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = program[at];
            let jumped = |yes: bool| usize::from(if yes { jt } else { jf });
            at += 1;
            match u32::from(code) {
                0x20 => a = [number, arch, 0, 0, option, 0][k as usize / 4],
                0x15 => at += jumped(a == k),
                0x25 => at += jumped(a > k),
                0x44 => a |= k,
                code @ (0x06 | 0x16) => {
                    let verdict = if code == 0x06 { k } else { a };
                    assert_eq!(verdict & 0xffff_0000, libc::SECCOMP_RET_TRACE, "every call stops");
                    return Entry::from_message(verdict as u16);
                }
                other => panic!("instruction {other:#x}"),
            }
        }
    }

    const HERE: u32 = 0xc000_003e;
    const PRCTL: u32 = libc::SYS_prctl as u32;

    #[test]
    fn a_call_stops_under_its_own_number() {
        assert_eq!(decide(HERE, 0, 0), Entry::Number(0));
        assert_eq!(decide(HERE, 451, marks::START), Entry::Number(451));
        assert_eq!(decide(HERE, PRCTL, 38), Entry::Number(PRCTL as u16));
    }

    #[test]
    fn marks_are_told_from_other_prctl_calls() {
        assert_eq!(decide(HERE, PRCTL, marks::START), Entry::Start);
        assert_eq!(decide(HERE, PRCTL, marks::END), Entry::End);
    }

    #[test]
    fn calls_of_another_numbering_are_not_mistaken_for_ours() {
        let (i386, x32) = (0x4000_0003, 0x4000_0000);
        assert_eq!(decide(i386, 3, 0), Entry::Foreign);
        assert_eq!(decide(HERE, x32, 0), Entry::Foreign);
        assert_eq!(decide(HERE, u32::MAX, 0), Entry::Foreign);
    }

    #[test]
    fn this_architecture_has_a_filter() {
        assert!(Filter::new().is_some());
    }
}
