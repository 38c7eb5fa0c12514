//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const SHRINK_READ: Notes = Notes {
    minutes: 3,
    say: "A file is cut while somebody reads it. Ask what read() says past the new end, with all \
            of it in the page cache.",
    trap: "An error seems only fair for bytes that have gone. To read() there is nothing special \
            about this end.",
    asked: "Then a program cannot tell a cut from an end?",
    answer: "Not by read() alone. Whoever expects more has to compare lengths, or keep one in the \
            file.",
};

pub const TAIL: Notes = Notes {
    minutes: 3,
    say: "Now through a mapping: the byte just past the new end, in a page that the file still \
            has. Ask what a load gives.",
    trap: "The page was touched before and is still mapped, so the old byte seems safe there. And \
            some expect a signal at once.",
    asked: "What if I store there?",
    answer: "On most filesystems it is taken and lost: the file does not have that byte, and nobody is told.",
};

pub const SHRINK_MMAP: Notes = Notes {
    minutes: 3,
    say: "One page further. The address is valid, and nothing is behind it. Ask what the load can \
            say.",
    trap: "EFAULT is what a system call would say. Ask how a load would return it.",
    asked: "Why is it not SIGSEGV?",
    answer: "The mapping is still there, so the address is not wrong. What it should show is missing: \
            that is SIGBUS.",
};

pub const FULL: Notes = Notes {
    minutes: 2,
    say: "No cut this time, but a full disk, and a hole in the file. A store into the hole: ask \
            what it comes to.",
    trap: "Those who know ENOSPC wait for it. They have to say which call would report it.",
    asked: "How do I avoid that?",
    answer: "Give the file its room first: posix_fallocate() reports ENOSPC while there is still a \
            call to report it.",
};

pub const DEFEND: Notes = Notes {
    minutes: 4,
    say: "Five defences, one cut in the worst moment. Have the class name the ones that die before \
            anything runs.",
    trap: "Checking the length first looks careful. Ask what may happen between the check and the \
            touch.",
    asked: "So is mmap unusable for files of others?",
    answer: "Not unusable: copy what must be trusted, or handle the signal and ask afterwards. It is \
            why mapping a file is unsafe in Rust.",
};
