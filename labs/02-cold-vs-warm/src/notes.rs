//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const TRAP: Notes = Notes {
    minutes: 4,
    say: "This is how most people first measure a cache: write a file, read it twice, compare. Ask \
            for the ratio.",
    trap: "Say \"first read\" and \"second read\", never cold and warm. The class adds these words \
            by itself, and so falls in.",
    asked: "Is it the same on a real server with a busy cache?",
    answer: "As long as nothing has taken the pages away in between. That is why the state is counted \
            here, and not assumed.",
};

pub const FACTOR: Notes = Notes {
    minutes: 4,
    say: "Now the file is evicted, and counted to be gone, before each cold run. Ask for a ratio, \
            and let it be a guess.",
    trap: "Somebody quotes a figure from a book or a blog. Write it on the board: it was true, on \
            another disk.",
    asked: "Why is our ratio so far from one that I have read?",
    answer: "It compares this disk with this memory. In a virtual machine, a cache below may have \
            served a part of the cold run.",
};

pub const PROOF: Notes = Notes {
    minutes: 3,
    say: "Times can deceive, so ask the device's own counter. First a cold run, to see whether the \
            counter works at all.",
    trap: "\"The disk is just faster the second time\" is not silly: a disk and a hypervisor have \
            caches as well. Take it seriously.",
    asked: "What if the counter said nothing in the cold run either?",
    answer: "Then it proves nothing, and the tutor says so. A counter has to be seen counting before \
            its zero means anything.",
};

pub const LYING_BENCHMARK: Notes = Notes {
    minutes: 4,
    say: "Everybody has tested a disk with dd once. Ask what that test measured, and what O_DIRECT \
            would say of the same file.",
    trap: "\"Faster: one copy less\" is the answer of those who know most. It forgets who has to \
            deliver the bytes then.",
    asked: "So O_DIRECT shows the speed of my disk?",
    answer: "Its speed at one request of that size at a time. The bar with larger blocks shows what \
            waiting for each one costs.",
};
