//! What one may expect of the page after the end.

use crate::words::option;
use lesson::Choice;

/// The options, each with what one has to believe to choose it.
pub(super) fn options() -> Vec<Choice> {
    vec![
        option(
            "zeros",
            "It gives 0, as in the rest of the last page",
            "Whoever says zeros takes the mapping for memory of its own. That is so for anonymous memory. It is also so \
             where one huge page, or one large folio, holds the end of the file and reaches past it: the processor \
             then finds a page there, and nobody asks for the file's length.",
        ),
        option(
            "efault",
            "An error, EFAULT",
            "Whoever says EFAULT thinks of system calls. They get such an address from a program, look at it on its behalf, \
             and can return an error. A load has no return value but the byte.",
        ),
        option(
            "sigsegv",
            "SIGSEGV: the address is no longer valid",
            "Whoever says SIGSEGV expects the mapping to shrink with its file. It does not: it ends with munmap() or the \
             process. SIGSEGV is for addresses without a mapping, and for what a mapping forbids.",
        ),
        option(
            "sigbus",
            "SIGBUS: the address is valid, but nothing is behind it",
            "The mapping is still there, and the file's page is not. The kernel has to stop \
             the load, and a signal is all that it can send. Where no handler catches it, it kills.",
        ),
    ]
}
