//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const ASK: Notes = Notes {
    minutes: 3,
    say: "One hint for the whole file, then a pause. Ask how much is in memory when everything has \
            settled.",
    trap: "Show the name: will need. It sounds like a request that is either granted or refused, \
            not like one that is cut.",
    asked: "Was memory short?",
    answer: "That is the usual explanation. The lab shows what was available, and the next act tests \
            the explanation.",
};

pub const CAP: Notes = Notes {
    minutes: 3,
    say: "The same bytes, asked for in pieces as large as the setting of the disk. Ask whether \
            that changes anything.",
    trap: "If memory were the reason, pieces would not help. Have them say this aloud before the \
            bars come.",
    asked: "Can I raise the setting instead?",
    answer: "root can, for the whole device and every program on it. Asking in pieces needs nobody's \
            permission.",
};

pub const NON_BLOCKING: Notes = Notes {
    minutes: 2,
    say: "The manual says that it initiates a nonblocking read. Ask what that costs the caller, \
            against reading the file.",
    trap: "Non-blocking is heard as free. Somebody has to find memory for the pages and submit the \
            requests.",
    asked: "Can another thread do it for me?",
    answer: "Yes, the work then is that thread's. It still takes a processor and the disk.",
};

pub const PRESSURE: Notes = Notes {
    minutes: 2,
    say: "Now memory really is short. All is asked for, in pieces, then read from the start. Ask \
            what share is served from memory.",
    trap: "\"The part that fits\" is a good answer: it fits, but which part of the file is it when \
            the read begins?",
    asked: "Why did the calls report success then?",
    answer: "They had submitted the requests, and that is all that they report. What happens to the \
            pages later is not theirs.",
};

pub const HINTS: Notes = Notes {
    minutes: 3,
    say: "Other hints speak about what will be done. Give the wrong one on purpose: RANDOM for a \
            sequential read. Ask for the price.",
    trap: "\"It is only a hint\" is the trap: a hint may be ignored, and this one mostly is not.",
    asked: "Which of them should I use?",
    answer: "RANDOM where access really is random, often none otherwise. The table shows which calls \
            are hints, and which is an order.",
};

pub const NO_WASTE: Notes = Notes {
    minutes: 2,
    say: "Was asking worth it? Compare the read that follows with one that had no hint, and then \
            the two together.",
    trap: "The class has seen what the calls cost, and may now say slower. Or it compares with a \
            read from memory.",
    asked: "When does it pay, then?",
    answer: "When there is something else to do between asking and reading. The arm with a pause \
            shows that.",
};
