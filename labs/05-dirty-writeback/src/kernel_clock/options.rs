//! What one may expect of the kernel's own clock.

use super::seconds;
use crate::words::option;
use lesson::Choice;

/// At once.
pub(super) const AT_CLOSE: &str = "at-close";
/// When the flusher looks next.
pub(super) const INTERVAL: &str = "interval";
/// When it has been dirty for long enough, and the flusher looks.
pub(super) const EXPIRY: &str = "expiry";
/// Not before too much is dirty.
pub(super) const LIMIT: &str = "limit";

/// The options, with this machine's two clocks.
pub(super) fn options(interval_ns: u64, expire_ns: u64) -> Vec<Choice> {
    vec![
        option(
            AT_CLOSE,
            "at once, when the file is closed",
            "You take close() for a save. It gives back a descriptor and says nothing about the disk. It is so on \
             network filesystems that write at close, such as NFS, and on a mount with the option sync. ext4 starts \
             writing at the close of a file that had been cut to nothing with O_TRUNC and written anew \
             (auto_da_alloc).",
        ),
        option(
            INTERVAL,
            match interval_ns {
                0 => "the next time its flusher looks".to_owned(),
                _ => format!("within {}: the next time its flusher looks", seconds(interval_ns)),
            },
            "You take dirty_writeback_centisecs for the age at which things are written. It says how often the flusher looks; \
             what it finds too young is left. It is so where dirty_expire_centisecs is shorter than that, and where a \
             filesystem's own commits carry data along.",
        ),
        option(
            EXPIRY,
            match interval_ns {
                0 => format!("after {}: when it is old enough", seconds(expire_ns)),
                _ => format!(
                    "after {} to {}: when it is old enough",
                    seconds(expire_ns),
                    seconds(expire_ns + interval_ns)
                ),
            },
            "The two settings work together: the flusher looks now and then, and writes what has been dirty for longer \
             than dirty_expire_centisecs. It is so while little is dirty and nobody syncs.",
        ),
        option(
            LIMIT,
            "not before too much is dirty in the whole system",
            "The limits on dirty memory are one reason to write, age is another. It is so where the clock is switched \
             off (dirty_writeback_centisecs is 0).",
        ),
    ]
}
