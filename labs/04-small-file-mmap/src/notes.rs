//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const TINY: Notes = Notes {
    minutes: 4,
    say: "One page, warm, used once. Ask which way costs more, from open to close.",
    trap: "\"It copies nothing\" is true and small: one page is copied in next to no time. What \
            does the mapping do instead?",
    asked: "Do such small files matter at all?",
    answer: "A source tree or a mail directory is made of them. Whatever is done once a file is then \
            done very often.",
};

pub const WHY: Notes = Notes {
    minutes: 4,
    say: "Take the mapping apart: three steps that read() does not have. Ask which is the dearest.",
    trap: "The word page fault frightens people, so the fault is popular. Setting up and taking \
            down are work as well.",
    asked: "Does reading the clock not disturb such short steps?",
    answer: "It does: what the clock costs is measured and taken off, and the steps must add up to \
            the whole without a clock.",
};

pub const CROSSOVER: Notes = Notes {
    minutes: 4,
    say: "The price of a mapping is paid once, a copy is paid for every byte. So somewhere they \
            meet, or not. Ask where.",
    trap: "Engineers like small sizes here, since \"mmap is faster\". Others say never, having seen \
            the first act.",
    asked: "Why is the curve not smooth?",
    answer: "Folios of another size, or buffers that outgrow a cache, change the price in steps. The \
            lab names only what it can prove.",
};

pub const RANDOM: Notes = Notes {
    minutes: 4,
    say: "Single bytes all over a warm file, each place known only after the look before. Ask for \
            the ratio of a call to a load.",
    trap: "Those who expect a huge ratio forget that a load from memory has to wait as well, when \
            no processor cache has it.",
    asked: "Why were all pages touched beforehand?",
    answer: "So that no page fault is in the figure. Another arm goes through a new mapping, and \
            there the faults are counted.",
};

pub const AMPLIFY: Notes = Notes {
    minutes: 4,
    say: "Twenty bytes from a cold mapping. Ask what the device has to deliver for them.",
    trap: "Anyone who multiplies twenty by a page has done it correctly for another kind of access. \
            What does the kernel expect?",
    asked: "How do I tell the kernel that I jump around?",
    answer: "MADV_RANDOM for a mapping, POSIX_FADV_RANDOM for reads. The second bar shows what it \
            does; both are hints.",
};
