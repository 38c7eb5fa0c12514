//! Data such as labs hand over. The figures are made up: what is tested is how they look.

use instruments::residency::{Bucket, Method};
use instruments::{Host, Plan};
use lesson::figure::{
    Axis, Bar, Bars, Curve, Mark, Point, ResidencyMap, Scale, Series, Span, Table, Timeline,
};
use lesson::{
    Ask, Card, Cause, Caveat, Choice, Figure, Knob, Outcome, Quantity, Question, Reveal, Setting, Unit,
};

const KNOBS: &[Knob] = &[
    Knob { name: "size", min: 1 << 20, max: 1 << 40, multiple_of: 4096 },
    Knob { name: "block", min: 512, max: 1 << 26, multiple_of: 512 },
    Knob { name: "trials", min: 3, max: 99, multiple_of: 1 },
];

pub(super) const RECORDED: &str =
    "RECORDED 2026-11-30 · Linux 6.18.44-fc-v857, x86_64, ext4, virtual machine (KVM)";

pub(super) fn card() -> Card {
    Card {
        number: 2,
        slug: "cold-vs-warm",
        title: "Cold vs warm",
        promise: "Afterwards you can tell a cold run from a warm one, prove which of the two you have just \
                  timed, and see through a benchmark that measured memory and called it a disk.",
        minutes: 12,
        needs: &["a real disk (not tmpfs)", "512 MiB of free space"],
        knobs: KNOBS,
        default_size_bytes: 512 << 20,
        default_block_bytes: 128 << 10,
        default_trials: 5,
    }
}

pub(super) fn acts() -> Vec<(&'static str, &'static str, u32)> {
    vec![
        ("trap", "The first read that was not cold", 3),
        ("factor", "Cold against warm", 6),
        ("proof", "What the device delivered", 2),
        ("lying-benchmark", "A benchmark that never saw the disk", 4),
    ]
}

pub(super) fn setting() -> Setting {
    let host = Host {
        kernel: "6.18.44".into(),
        arch: "x86_64".into(),
        page_bytes: 4096,
        mem_total_bytes: 16 << 30,
        filesystem: instruments::host::Filesystem { kind: "ext4".into(), magic: 0xef53 },
        device: Some(instruments::host::Device { name: "vda".into(), ..Default::default() }),
        ..Host::default()
    };
    Setting { host, plan: Plan { size_bytes: 512 << 20, block_bytes: 128 << 10, trials: 5 } }
}

pub(super) fn factor() -> Question {
    Question {
        setup: "The same 512 MiB file, the same read() loop. Before a cold run the file's pages are evicted and \
                counted: 0 of 131,072 resident. Before a warm run: nothing."
            .into(),
        commands: vec!["tutor run cread 512M.bin --block 128K".into()],
        ask: "How many times faster is the warm run?".into(),
        answer: Ask::Quantity(Quantity {
            unit: Unit::Ratio,
            example: "10x".into(),
            hit_factor: 1.25,
            near_factor: 2.0,
        }),
        hint: "Think of what each run has to wait for. A disk delivers a few hundred MiB to a few GiB a second; \
               memory is copied at several GiB a second."
            .into(),
    }
}

pub(super) fn factor_reveal() -> Reveal {
    Reveal {
        outcome: Outcome::Quantity(5.77),
        sentence: "The warm run was 5.8x faster.".into(),
        figures: vec![Figure::Bars(bars()), Figure::Table(table())],
        causes: vec![Cause {
            id: "device".into(),
            text: "Both made the same 4,097 read() calls. The cold run waited for 512 MiB from the disk; the warm \
                   run copied them from memory."
                .into(),
        }],
        caveats: vec![
            Caveat::CacheBelow("virtual (virtio)".into()),
            Caveat::Discarded(1, "12,288 pages were still resident before a cold run".into()),
        ],
        try_next: vec![
            "tutor run cread 512M.bin --block 128K --cold".into(),
            "tutor run cread 512M.bin --block 128K --warm".into(),
        ],
        sources: vec!["man 2 posix_fadvise".into(), "mm/filemap.c (Linux 6.18)".into()],
    }
}

pub(super) fn faults() -> Question {
    let option = |id: &str, text: &str, explanation: &str| Choice {
        id: id.into(),
        text: text.into(),
        explanation: explanation.into(),
    };
    Question {
        setup: "The whole 512 MiB file is in the page cache: 131,072 of 131,072 pages resident. A program maps it and \
                touches one byte in every page."
            .into(),
        commands: vec!["tutor run mmapsum 512M.bin --warm --touch".into()],
        ask: "How many minor faults does it take?".into(),
        answer: Ask::Choice(vec![
            option(
                "one-a-page",
                "131,072: one a page",
                "So it would be if a fault mapped nothing but the page that was touched. The kernel maps the \
                 resident neighbours too, since the next touch is likely there.",
            ),
            option(
                "fault-around",
                "8,192: one for every 16 pages",
                "That is fault-around with its usual 64 KiB, over a cache that holds single pages. With larger \
                 folios one fault can map more.",
            ),
            option(
                "large-folios",
                "a few hundred",
                "So it is where the cache holds the file in large folios: one fault maps a whole folio.",
            ),
            option(
                "none",
                "none: the file is in memory",
                "In memory is not yet in the page table. The first touch of a page that is not mapped is a fault, \
                 wherever the page is.",
            ),
        ]),
        hint: "A fault costs far more than a load. What could the kernel do while it is at it?".into(),
    }
}

/// What an act usually shows: one figure, one cause, one caveat.
pub(super) fn faults_reveal() -> Reveal {
    let bar = |label: &str, value: f64, text: &str, note: &str| Bar {
        label: label.into(),
        value,
        text: text.into(),
        note: note.into(),
    };
    Reveal {
        outcome: Outcome::Choice("large-folios".into()),
        sentence: "660 minor faults mapped 131,072 pages: one fault for every 199 pages.".into(),
        figures: vec![Figure::Bars(Bars {
            title: "Minor faults to touch every page of a warm mapping".into(),
            bars: vec![
                bar("pages", 131_072.0, "131,072", ""),
                bar("fault-around alone", 8_192.0, "8,192", "one for every 64 KiB"),
                bar("counted here", 660.0, "660", "0 major"),
            ],
        })],
        causes: vec![Cause {
            id: "large-folios".into(),
            text: "Fault-around maps at most 64 KiB at a time here, which would be 8,192 faults. There were \
                   fewer, so most faults mapped a large folio."
                .into(),
        }],
        caveats: vec![Caveat::Smaller("a quarter of the free space is 128 MiB".into())],
        try_next: vec!["tutor run mmapsum 512M.bin --warm --touch".into()],
        sources: vec!["mm/memory.c, do_fault_around() (Linux 6.18)".into()],
    }
}

/// More than most acts have to show.
pub(super) fn rich_reveal() -> Reveal {
    let buffer = "256 of the read() program's faults are its own buffer, touched for the first time.";
    let mut reveal = faults_reveal();
    reveal.figures = vec![Figure::Table(table()), Figure::Curve(curve())];
    reveal.causes.push(Cause { id: "buffer".into(), text: buffer.into() });
    reveal
}

/// A curve as the key figure.
pub(super) fn curve_reveal() -> Reveal {
    let mut reveal = factor_reveal();
    reveal.sentence = "In blocks of 4 KiB the same file took 3.3x as long as in blocks of 512 KiB.".into();
    reveal.outcome = Outcome::Quantity(3.3);
    reveal.figures = vec![Figure::Curve(curve())];
    reveal
}

pub(super) fn bars() -> Bars {
    let bar = |label: &str, value: f64, text: &str, note: &str| Bar {
        label: label.into(),
        value,
        text: text.into(),
        note: note.into(),
    };
    Bars {
        title: "Time to read 512 MiB in blocks of 128 KiB".into(),
        bars: vec![
            bar("cold", 381.0, "381 ms ±12", "512 MiB from disk"),
            bar("warm", 66.0, "66 ms ±3", "0 B from disk"),
        ],
    }
}

pub(super) fn many_bars() -> Bars {
    let bar = |label: &str, value: f64, text: &str, note: &str| Bar {
        label: label.into(),
        value,
        text: text.into(),
        note: note.into(),
    };
    Bars {
        title: "Throughput of 32 KiB writes".into(),
        bars: vec![
            bar("buffered", 1922.0, "1.88 GiB/s", "nothing on the disk yet"),
            bar("O_DSYNC", 92.0, "92.0 MiB/s", "all resident and clean"),
            bar("O_DIRECT|O_DSYNC", 1.4, "1.40 MiB/s", "none resident"),
            bar("failed", 0.0, "0 B/s", ""),
        ],
    }
}

pub(super) fn table() -> Table {
    let row = |cells: [&str; 4]| cells.map(String::from).to_vec();
    Table {
        title: "System calls after start-up, counted".into(),
        head: row(["call", "read()", "mmap()", "what for"]),
        rows: vec![
            row(["read", "4,097", "0", "the last one finds the end"]),
            row(["mmap", "1", "2", "a buffer; the file"]),
            row(["munmap", "1", "2", ""]),
            row(["openat", "1", "1", ""]),
            row(["close", "1", "1", ""]),
            row(["write", "1", "1", "prints its line"]),
        ],
    }
}

pub(super) fn doctor() -> Table {
    let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
    Table {
        title: String::new(),
        head: row(["what", "here", "what to do"]),
        rows: vec![
            row(["residency", "cachestat(2)", ""]),
            row(["system calls", "ptrace", ""]),
            row([
                "fault-around",
                "not readable",
                "/sys/kernel/debug is open to root only; the labs infer it from the faults that they count",
            ]),
            row(["scratch", "ext4 on vda", ""]),
        ],
    }
}

pub(super) fn curve() -> Curve {
    let times = [3.9, 2.0, 1.05, 0.62, 0.4, 0.29, 0.24, 0.21, 0.197, 0.192, 0.19, 0.191, 0.21, 0.232];
    let point = |(at, time): (usize, &f64)| Point {
        x: f64::from(512 << at as u32),
        y: time * 1e9,
        low: time * 0.9e9,
        high: time * 1.25e9,
    };
    Curve {
        title: "The same 512 MiB, warm, in blocks of each size".into(),
        x: Axis { label: "block size".into(), scale: Scale::Bytes, log: true },
        y: Axis { label: "time to read the file".into(), scale: Scale::Nanoseconds, log: true },
        series: vec![Series { name: "read()".into(), points: times.iter().enumerate().map(point).collect() }],
        marks: vec![Mark { x: f64::from(128 << 10), label: "what cat and dd tutorials use".into() }],
    }
}

pub(super) fn two_curves() -> Curve {
    let series = |name: &str, step: f64| Series {
        name: name.into(),
        points: (0..9)
            .map(|at| {
                let x = f64::from(at) * 12.5 + 50.0;
                let y = (100.0 - (x - 100.0).max(0.0) * step).max(2.0);
                Point { x, y, low: y - 2.0, high: (y + 2.0).min(100.0) }
            })
            .collect(),
    };
    Curve {
        title: "Share of reads served from the cache, second lap".into(),
        x: Axis {
            label: "file size, in percent of the memory limit".into(),
            scale: Scale::Percent,
            log: false,
        },
        y: Axis { label: "hits".into(), scale: Scale::Percent, log: false },
        series: vec![series("forwards", 8.0), series("random", 0.9), series("there and back", 0.4)],
        marks: vec![Mark { x: 100.0, label: "the limit".into() }],
    }
}

fn bucket(resident: u64, dirty: u64, writeback: u64, evicted: u64) -> Bucket {
    Bucket {
        pages: 1024,
        resident_pages: resident,
        dirty_pages: Some(dirty),
        writeback_pages: Some(writeback),
        evicted_pages: Some(evicted),
        recently_evicted_pages: Some(evicted),
        method: Method::Cachestat,
    }
}

pub(super) fn map() -> ResidencyMap {
    let stretch = |count: usize, bucket: Bucket| vec![bucket; count];
    let buckets = [
        stretch(30, bucket(1024, 0, 0, 0)),
        stretch(3, bucket(900, 0, 0, 0)),
        stretch(3, bucket(400, 0, 0, 0)),
        stretch(2, bucket(10, 0, 0, 0)),
        stretch(20, bucket(1024, 1000, 0, 0)),
        stretch(6, bucket(1024, 0, 700, 0)),
        stretch(24, bucket(0, 0, 0, 1000)),
        stretch(40, bucket(0, 0, 0, 0)),
    ]
    .concat();
    ResidencyMap {
        title: "data, while it is written".into(),
        size_bytes: 512 << 20,
        page_bytes: 4096,
        buckets,
    }
}

/// Reclaim at work: few states, and evicted pages that would not count as a refault.
pub(super) fn reclaim_map() -> ResidencyMap {
    let evicted = |pages: u64| Bucket { evicted_pages: Some(pages), ..bucket(1024 - pages, 0, 0, 0) };
    let buckets = [vec![evicted(1024); 20], vec![evicted(400)], vec![evicted(0); 11]].concat();
    ResidencyMap {
        title: "data, while memory is asked for".into(),
        size_bytes: 128 << 20,
        page_bytes: 4096,
        buckets,
    }
}

pub(super) fn mincore_map() -> ResidencyMap {
    let bucket = |resident: u64| Bucket {
        pages: 4,
        resident_pages: resident,
        dirty_pages: None,
        writeback_pages: None,
        evicted_pages: None,
        recently_evicted_pages: None,
        method: Method::Mincore,
    };
    ResidencyMap {
        title: "a small file, after one touch".into(),
        size_bytes: (32 << 12) - 100,
        page_bytes: 4096,
        buckets: [4, 4, 4, 4, 1, 0, 0, 0].map(bucket).to_vec(),
    }
}

pub(super) fn timeline() -> Timeline {
    let span = |start_ns: u64, length_ns: u64, label: &str, note: &str| Span {
        start_ns,
        length_ns,
        label: label.into(),
        note: note.into(),
    };
    Timeline {
        title: "What the program waited for".into(),
        spans: vec![
            span(0, 130_000_000, "store", "65,536 pages dirty"),
            span(130_000_000, 3_000, "MS_ASYNC", "65,536 still dirty"),
            span(130_003_000, 470_000_000, "MS_SYNC", "256 MiB to the disk"),
            span(600_003_000, 0, "clean", ""),
        ],
    }
}
