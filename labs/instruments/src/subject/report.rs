//! What a child that never became the program tells its parent, through a pipe that exec closes.

use nix::errno::Errno;

/// What may fail in the child; its number is what the child reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Group,
    Parent,
    Streams,
    Limit,
    Privileges,
    Filter,
    Exec,
}

const STEPS: [(Step, &str); 7] = [
    (Step::Group, "enter a process group of its own"),
    (Step::Parent, "ask to die with its parent"),
    (Step::Streams, "take its standard streams"),
    (Step::Limit, "move into its memory cgroup"),
    (Step::Privileges, "set no_new_privs"),
    (Step::Filter, "install a seccomp filter"),
    (Step::Exec, "be executed"),
];

/// Bytes of a report: the step and the errno.
pub(super) const REPORT_BYTES: usize = 5;

/// Why the program never ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotStarted {
    pub(super) step: Step,
    pub(super) errno: Errno,
}

impl NotStarted {
    /// The counting was refused, not the program.
    pub(super) fn by_filter(self) -> bool {
        matches!(self.step, Step::Privileges | Step::Filter)
    }

    /// For the pipe; no allocation.
    pub(super) fn to_bytes(self) -> [u8; REPORT_BYTES] {
        let [a, b, c, d] = (self.errno as i32).to_ne_bytes();
        [self.step as u8, a, b, c, d]
    }

    /// None for what no child of ours writes.
    pub(super) fn from_bytes([step, errno @ ..]: [u8; REPORT_BYTES]) -> Option<NotStarted> {
        let (step, _) = *STEPS.get(usize::from(step))?;
        Some(NotStarted { step, errno: Errno::from_raw(i32::from_ne_bytes(errno)) })
    }
}

impl std::fmt::Display for NotStarted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = self.errno.desc();
        match self.step {
            Step::Exec => f.write_str(why),
            step => write!(f, "the new process could not {}: {why}", STEPS[step as usize].1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_survives_the_pipe() {
        for (number, (step, _)) in STEPS.into_iter().enumerate() {
            assert_eq!(step as usize, number, "the table is in the order of the enum");
            let report = NotStarted { step, errno: Errno::ENOENT };
            assert_eq!(NotStarted::from_bytes(report.to_bytes()), Some(report));
        }
        assert_eq!(NotStarted::from_bytes([99, 0, 0, 0, 0]), None);
    }
}
