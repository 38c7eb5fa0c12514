//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const FILL: Notes = Notes {
    minutes: 3,
    say: "Everybody has closed a file after writing it. Ask where its bytes are at that moment \
            before anybody looks at a number.",
    trap: "Let the class vote for \"on the disk\": it is what close() sounds like. Then show the \
            live map, where written pages may still be dirty.",
    asked: "So is a closed file lost in a power cut?",
    answer: "It may be: close() promises nothing. Lab five is about that; fsync() is the call that makes \
            the promise.",
};

pub const DRAIN: Notes = Notes {
    minutes: 3,
    say: "MemFree is the number that everybody watches, and MemAvailable the one to watch. Have \
            them predict both before the eviction.",
    trap: "Say aloud that free memory rises by the whole file. Most of the class then expects \
            MemAvailable to rise as well.",
    asked: "Why does the printed MemAvailable fall for a moment?",
    answer: "Freed pages wait on lists that each processor keeps, and /proc/meminfo does not count \
            these. The second table has them.",
};

pub const STAYS: Notes = Notes {
    minutes: 2,
    say: "One call, four files, and it returns success each time. Ask what success promises here.",
    trap: "Point at the return value first. A zero from a hint says that the arguments were \
            understood, nothing else.",
    asked: "Then how do I make a file cold for sure?",
    answer: "Sync it first, look that nobody has it mapped, evict, and count its pages. `tutor run \
            evict` does just that.",
};

pub const REFILL: Notes = Notes {
    minutes: 2,
    say: "Only half of the file is read. Ask what else may be in memory, and who asked for it.",
    trap: "\"Half of it, to the page\" sounds exact and therefore right. Whether more is there \
            depends on the readahead of this disk.",
    asked: "Is what was read ahead wasted here?",
    answer: "Here it is, since the reader stops. The kernel bets that who reads in order goes on, and \
            mostly wins.",
};

pub const RECLAIM: Notes = Notes {
    minutes: 3,
    say: "A program in a memory limit wants more than is free in it, and most of the limit is \
            cache. Ask what gives.",
    trap: "Remind them of an out-of-memory kill that they have seen. It makes \"killed\" popular.",
    asked: "Does this mean that cache is free of charge?",
    answer: "No: what was dropped has to be read again if it is wanted. Lab nine shows where that \
            becomes dear.",
};

pub const DROP_CACHES: Notes = Notes {
    minutes: 2,
    say: "Who has pasted that line from the internet? Ask who may do so here, and what it does to \
            everybody else on the machine.",
    trap: "Many have only ever done it with sudo, and so think that it is harmless. Nothing is \
            written in this act, only opened.",
    asked: "What do I do instead in a benchmark?",
    answer: "Evict your own files, and prove by a count that they are gone. For a whole cgroup, \
            memory.reclaim where the kernel has it.",
};
