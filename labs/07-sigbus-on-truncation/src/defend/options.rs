//! Which of the five one may expect to die.

use crate::words::option;
use lesson::Choice;

/// The options, each with what one has to believe to choose it.
pub(super) fn options() -> Vec<Choice> {
    vec![
        option(
            "none",
            "None of them: each one is a defence",
            "Whoever says none trusts that a defence against one trouble helps against another. Each of the five does stop \
             something; what counts is whether it stops this.",
        ),
        option(
            "check",
            "The one that checks the length first",
            "Whoever says only the check knows that a check and a touch are two steps, with room for another process \
             between them. It would be so if fallocate() held on to the file's length. It holds on to room on the disk.",
        ),
        option(
            "check-reserve",
            "The length check and fallocate()",
            "Neither keeps anybody from cutting the file: one only looked, the other has \
             room for bytes that are no longer the file's. The others put a page there, ask the kernel each time, or \
             forbid the cut.",
        ),
        option(
            "check-handler-reserve",
            "Those two, and the one with the handler",
            "Whoever adds the handler expects that nothing can be done about a SIGBUS: the load is repeated when the handler \
             returns. It would be so if the handler only noted it. One that maps a page there first makes the repeated \
             load succeed.",
        ),
    ]
}
