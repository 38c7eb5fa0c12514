//! Every explanation that this lab can give. The acts choose; here stands what each one says.

use crate::words::byte;
use instruments::size::{format_bytes, format_count};
use lesson::Cause;
use std::fmt;

/// Why the machine answered as it did, with the figures that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A read across the new end came back short, and the one past it empty.
    LengthIsAsked {
        /// Bytes asked for and returned by the read across the end.
        across: (u64, u64),
    },
    /// Where the old byte had been, a file made long again has zero.
    OldDataGone,
    /// The last kept byte is as before, the next one in the same page is zero.
    RestOfPageZeroed {
        /// Offset of the first byte past the end.
        kept_bytes: u64,
        /// The last kept byte's value.
        last_kept_value: u8,
    },
    /// A store past the end was taken, and was not there when the file grew again.
    StoreLost {
        /// What was stored.
        stored_value: u8,
        /// What the file had there afterwards.
        regrown_value: u8,
    },
    /// A store past the end was taken, and was there when the file grew again.
    StoreCameBack {
        /// What was stored.
        stored_value: u8,
    },
    /// SIGBUS, BUS_ADRERR, in the page that was touched, which lies past the end.
    NoPageBehindIt {
        /// The page that was touched.
        page: u64,
        /// The page that holds the end.
        last_page: u64,
    },
    /// The same byte gave EFAULT to a system call.
    SystemCallHasAnError,
    /// A load past the end returned zero, and the kernel had mapped more of the file than it has.
    FolioPastTheEnd {
        /// Where the file lay.
        place: String,
        /// The page that was loaded from.
        page: u64,
        /// Pages that the file has.
        file_pages: u64,
        /// Bytes that were mapped.
        mapped_bytes: u64,
        /// Whether all of them through huge-page entries.
        huge: bool,
        /// Whether the file never was longer; otherwise another process had cut it.
        never_longer: bool,
        /// For a file that never was longer: the signal of the same load where another process had cut it.
        after_cut: Option<String>,
    },
    /// No room on the disk, ENOSPC to write(), SIGBUS in the hole, and the page that had room took its store.
    NoRoomForTheHole {
        /// The page of the hole.
        page: u64,
        /// Bytes free on the disk.
        free_bytes: u64,
    },
    /// The check found the file long enough, and the touch after it killed.
    CheckIsNoLock {
        /// The page that was touched.
        page: u64,
        /// Whether a check for free room failed the same way on a full disk.
        full_too: bool,
    },
    /// The handler put zeros in and the program went on.
    HandlerGivesZeros {
        /// Pages that were put in.
        replaced_pages: u64,
        /// Pages of the file when it was mapped.
        pages: u64,
        /// On the full disk: pages stored and pages that reached the file.
        stored: Option<(u64, u64)>,
    },
    /// read() came to an end, and the program stopped.
    ReadHasAnEnd {
        /// Pages read before.
        pages: u64,
        /// What write() said on the full disk.
        write_error: Option<String>,
    },
    /// The other process was told no.
    SealRefused {
        /// What it was told.
        error: String,
        /// Pages that were there to the end.
        pages: u64,
    },
    /// fallocate() did not keep the file from being cut.
    RoomIsNotLength {
        /// The page that killed.
        page: u64,
        /// On the full disk: pages that were stored, of how many.
        stored: Option<(u64, u64)>,
    },
    /// Bytes of a mapping went away under a program that had done nothing wrong.
    PromiseNobodyCanGive,
}

impl Why {
    /// Stable id.
    pub fn id(&self) -> &'static str {
        match self {
            Why::LengthIsAsked { .. } => "length-is-asked",
            Why::OldDataGone => "old-data-gone",
            Why::RestOfPageZeroed { .. } => "rest-of-page-zeroed",
            Why::StoreLost { .. } => "store-lost",
            Why::StoreCameBack { .. } => "store-came-back",
            Why::NoPageBehindIt { .. } => "no-page-behind-it",
            Why::SystemCallHasAnError => "system-call-has-an-error",
            Why::FolioPastTheEnd { .. } => "folio-past-the-end",
            Why::NoRoomForTheHole { .. } => "no-room-for-the-hole",
            Why::CheckIsNoLock { .. } => "check-is-no-lock",
            Why::HandlerGivesZeros { .. } => "handler-gives-zeros",
            Why::ReadHasAnEnd { .. } => "read-has-an-end",
            Why::SealRefused { .. } => "seal-refused",
            Why::RoomIsNotLength { .. } => "room-is-not-length",
            Why::PromiseNobodyCanGive => "promise-nobody-can-give",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::LengthIsAsked { across: (asked, returned) } => write!(
                f,
                "A read of {asked} bytes across the new end returned {returned}, and the next one, past it, 0. read() \
                 asks for the file's length each time and stops there. Whoever expected more has to notice it."
            ),
            Why::OldDataGone => f.write_str(
                "The old bytes went with the cut, cached or not. When the file was made long again, there were zeros \
                 in their place.",
            ),
            Why::RestOfPageZeroed { kept_bytes, last_kept_value } => {
                let (last, first) = (format_count(kept_bytes.saturating_sub(1)), format_count(*kept_bytes));
                write!(
                    f,
                    "Byte {last}, the last one kept, still is {}; byte {first}, in the same page, became 0. A mapping \
                     loses whole pages only. This one stays for the sake of its beginning, and the cut cleared the rest.",
                    byte(*last_kept_value)
                )
            }
            Why::StoreLost { stored_value, regrown_value } => write!(
                f,
                "A store there was taken without a word: loaded back, it was {}. But read() found no byte there, and when \
                 the file grew again, there was {}: the store was lost, and nobody was told.",
                byte(*stored_value),
                byte(*regrown_value)
            ),
            Why::StoreCameBack { stored_value } => write!(
                f,
                "A store there was taken without a word. read() found no byte there; yet when the file grew again, \
                 there was {}: the store had waited past the end. Nobody promises that.",
                byte(*stored_value)
            ),
            Why::NoPageBehindIt { page, last_page } => write!(
                f,
                "Page {page} is mapped, so SIGSEGV would be wrong; but the file now ends in page {last_page}, so there \
                 is nothing to put there. A load has no way to return an error. The kernel sends SIGBUS instead, with \
                 code BUS_ADRERR and an address in page {page}."
            ),
            Why::SystemCallHasAnError => f.write_str(
                "The same byte was first handed to write(), which looks at it for us: EFAULT, and the process lived. A \
                 system call can return an error; a load cannot.",
            ),
            Why::FolioPastTheEnd { place, page, file_pages, mapped_bytes, huge, never_longer, after_cut } => {
                let (mapped, pages) = (format_bytes(*mapped_bytes), format_count(*file_pages));
                let entry = if *huge { "a huge page" } else { "a large folio" };
                let history = if *never_longer { "never longer" } else { "cut by another process" };
                write!(
                    f,
                    "On {place}, a file of {pages} pages, {history}, gave 0 at page {page}, the first past its end: the \
                     kernel had mapped {mapped} for it, as {entry} that reaches past the end."
                )?;
                match after_cut {
                    Some(signal) => write!(
                        f,
                        " Where another process had cut the file, the same load was {signal}: a cut unmaps what lies past \
                         the new end."
                    ),
                    None => Ok(()),
                }
            }
            Why::NoRoomForTheHole { page, free_bytes } => write!(
                f,
                "The disk had {} free. A page that had its room took a store as before. Page {page} was a hole: the first \
                 store must find room for it. write() says ENOSPC; a store has no way to, so the kernel sends SIGBUS.",
                format_bytes(*free_bytes)
            ),
            Why::CheckIsNoLock { page, full_too } => {
                write!(
                    f,
                    "Check: the file was long enough when it was asked, and cut before page {page} was touched. A check \
                     tells of the past; it does not hold the file."
                )?;
                f.write_str(if *full_too { " Asking for free room before a store failed in the same way." } else { "" })
            }
            Why::HandlerGivesZeros { replaced_pages, pages, stored } => {
                write!(
                    f,
                    "Handler: it put zeros over {} of {} pages, which the file no longer had. The program lives, but must ask \
                     the handler afterwards: those zeros are nobody's data.",
                    format_count(*replaced_pages),
                    format_count(*pages)
                )?;
                match stored {
                    Some((all, reached)) => {
                        write!(f, " On the full disk, {reached} of {all} stores reached the file.")
                    }
                    None => Ok(()),
                }
            }
            Why::ReadHasAnEnd { pages, write_error } => {
                write!(
                    f,
                    "Copy: after {} pages read() returned 0, an ordinary end, and what was read is the program's own.",
                    format_count(*pages)
                )?;
                match write_error {
                    Some(error) => write!(f, " On the full disk write() returned {error}."),
                    None => Ok(()),
                }
            }
            Why::SealRefused { error, pages } => write!(
                f,
                "Seal: the other process was told {error}, and all {} pages stayed. Nobody can shorten a memfd sealed with \
                 F_SEAL_SHRINK. It helps with memory that you share, not with files of others.",
                format_count(*pages)
            ),
            Why::RoomIsNotLength { page, stored } => {
                write!(
                    f,
                    "Fallocate: it keeps room on the disk, not the file's length. The cut went through, and the touch \
                     of page {page} killed."
                )?;
                match stored {
                    Some((done, all)) => {
                        write!(f, " It is meant for the full disk: there, {done} of {all} stores reached the file.")
                    }
                    None => Ok(()),
                }
            }
            Why::PromiseNobodyCanGive => f.write_str(
                "This is why the constructors of `memmap2::Mmap` are `unsafe`. A `&[u8]` promises that its bytes neither \
                 change nor vanish; over a file, only whoever controls all its writers can promise that. `MmapRaw`, \
                 which hands out a pointer and promises nothing, is safe to make.",
            ),
        }
    }
}

impl From<Why> for Cause {
    fn from(why: Why) -> Cause {
        Cause { id: why.id().to_owned(), text: why.to_string() }
    }
}
