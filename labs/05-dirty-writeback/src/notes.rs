//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const DIRTY: Notes = Notes {
    minutes: 3,
    say: "A whole file is stored through a mapping. Ask how much of it is on the disk when the \
            last store is done.",
    trap: "Some have seen a disk lamp blink while writing, and say half. Nothing has asked for a \
            write yet.",
    asked: "Who decides when it is written?",
    answer: "The kernel's flusher, by age and by amount, or whoever calls msync() or fsync(). The \
            last act of this lab has the settings.",
};

pub const MSYNC: Notes = Notes {
    minutes: 3,
    say: "Now somebody asks: MS_SYNC returns when the disk has the data. Ask for the ratio to the \
            time that the stores took.",
    trap: "People compare it with a memory copy and forget that the disk takes part for the first \
            time here.",
    asked: "Is it safe after that, whatever happens?",
    answer: "As safe as the drive's own promise. The kernel flushes the drive's cache where the drive \
            says that it has one.",
};

pub const MSYNC_ASYNC: Notes = Notes {
    minutes: 3,
    say: "Its name says asynchronous, so it starts the writing. Read the name aloud, then ask.",
    trap: "The manual page in many heads is that of another Unix. Ask what could be different on \
            Linux.",
    asked: "Then how do I start writing without waiting?",
    answer: "sync_file_range() starts it, with no promise of durability. Or leave it to the flusher, \
            and wait once with fdatasync().",
};

pub const ONE_BYTE: Notes = Notes {
    minutes: 3,
    say: "One byte is stored into a clean mapped file. Ask how many pages are dirty then.",
    trap: "\"One page\" is what every book says, and it may be so here: it depends on how the file \
            came into the cache.",
    asked: "Is that a bug?",
    answer: "No: the dirty mark is kept once a folio. Large folios make most things cheaper; here is \
            one thing that they make dearer.",
};

pub const DURABLE: Notes = Notes {
    minutes: 5,
    say: "Two promises at two prices: in memory, and on the disk. Ask for the ratio, then go \
            through the six ways one by one.",
    trap: "Ask who uses O_DIRECT because it is safe. The column of flushes answers better than you \
            can.",
    asked: "Must I pay this for every record?",
    answer: "No: one flush can serve many records. That is what databases call group commit; the \
            second way shows its price.",
};

pub const DSYNC_CACHE: Notes = Notes {
    minutes: 2,
    say: "After a synchronous write, is the page in the cache? Ask, and remind them that the next \
            reader would like it to be.",
    trap: "O_DSYNC and O_DIRECT are mixed up all the time. Put both names on the board, side by \
            side.",
    asked: "So the two flags are independent?",
    answer: "Yes: one is about when the call returns, the other about where the bytes go. They may be \
            used together.",
};

pub const ROUND_TRIP: Notes = Notes {
    minutes: 3,
    say: "Stored, unmapped, closed, never synced; then out of the cache and back from the disk. \
            Ask what comes back.",
    trap: "The previous acts have frightened them. Some now believe that what was never synced is \
            lost with its mapping.",
    asked: "Then why call msync() at all?",
    answer: "Because of a crash or a power cut. As long as machine and disk work, no store is lost; a sync \
            is about what survives it.",
};

pub const KERNEL_CLOCK: Notes = Notes {
    minutes: 3,
    say: "Nobody ever syncs. Ask when the kernel begins by itself, and who has changed these \
            settings before.",
    trap: "The flusher's interval and the age of data are two settings. Most people know of one, \
            and take it for the other.",
    asked: "Should I set them lower on a server?",
    answer: "It bounds what a crash can take, and makes for more writing. Whoever needs a promise \
            needs a sync, not a setting. With --patient the lab watches it happen.",
};
