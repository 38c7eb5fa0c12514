//! What an instructor says around each act: never a figure, since the machine gives those.

use lesson::Notes;

pub const READS: Notes = Notes {
    minutes: 3,
    say: "Give size and block and let them divide. The arithmetic is easy, and nearly everybody is \
            off by a little.",
    trap: "Do not mention the end of the file. How does the loop learn that it is there?",
    asked: "Do larger files need other calls as well?",
    answer: "The loop makes one call a block and one for the end. What the loader and the start of a \
            program do is counted apart.",
};

pub const MMAP_CALLS: Notes = Notes {
    minutes: 3,
    say: "The same file through a mapping, a byte of each page. Ask for system calls, and let \
            somebody say what mmap() itself does.",
    trap: "\"A mapped file is memory\" is nearly right, and so \"none\" is tempting. Opening and \
            mapping are calls, too.",
    asked: "Then mmap does no work?",
    answer: "It does it elsewhere: page faults are trips into the kernel that no system-call counter \
            shows. They come next.",
};

pub const FAULTS: Notes = Notes {
    minutes: 4,
    say: "All pages are in memory, and no disk is involved. Ask how often the processor still has \
            to enter the kernel.",
    trap: "\"One a page\" is the textbook's answer, and right for a kernel that maps nothing around \
            a fault.",
    asked: "What makes the difference between two machines here?",
    answer: "The window of fault-around, and the size of the folios that the file lies in. The next \
            act changes only the latter.",
};

pub const FOLIOS: Notes = Notes {
    minutes: 3,
    say: "Same file, same bytes, all cached. Only the way in which the pages came in is another. \
            Ask whether that can matter.",
    trap: "\"A cached page is a cached page\" is what every tool suggests: fincore and vmtouch show \
            the same for both.",
    asked: "Can I see the folios of a file?",
    answer: "Not directly without privileges. Storing one byte and counting the dirty pages tells \
            their size; this act does so.",
};

pub const BLOCKS: Notes = Notes {
    minutes: 3,
    say: "Far more calls for the same bytes. Ask how much longer it takes, and what has not \
            changed at all.",
    trap: "Whoever has just learned to count calls now takes them for the whole price. The bytes \
            still have to be copied.",
    asked: "Which block size should I use?",
    answer: "Look where the curve becomes flat on your machine. Far beyond that, a buffer may no \
            longer fit the processor's caches.",
};

pub const COPIES: Notes = Notes {
    minutes: 4,
    say: "Calls and copies on one side, faults on the other. Ask who wins when every byte is used, \
            warm.",
    trap: "The class has an opinion about mmap by now. Ask for reasons before hands, and for the \
            cold case as well.",
    asked: "So which of the two should I use?",
    answer: "It depends on what is done with the bytes, and on whether the file is warm. The lab \
            measures both; measure yours.",
};
