//! Neighbours that spoil what a lab measures, on purpose: each does one thing as long as its guard lives.
//!
//! All of them are threads of the test itself, so nothing outlives it, whatever ends it; what they write lies in the
//! test's own place.

use super::{Fixture, is_root_or_skip, skip};
use instruments::testing::{Locked, locked};
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Who spoils, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Evicts the scratch files at random moments.
    Evicts,
    /// Drops the clean cache of the whole machine, four times a second.
    DropsCaches,
    /// Dirties 200 MB a second on the same disk, and has them written.
    Dirties,
    /// Holds the scratch files mapped and locked.
    HoldsLocked,
    /// Keeps every processor busy.
    Burns,
}

/// A neighbour at work; it stops when this goes, also where the test panics. Let it go before the fixture.
#[must_use]
pub struct Beside {
    stop: Stop,
    threads: Vec<JoinHandle<()>>,
    file: Option<PathBuf>,
}

const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";
/// How much of the disk the one that dirties takes.
const DIRTY_FILE_BYTES: u64 = 64 << 20;
const DIRTY_BYTES_A_SECOND: u64 = 200_000_000;
/// How often the one that holds looks for files, and lets go of what has grown or gone.
const LOOK: Duration = Duration::from_millis(20);

impl Neighbour {
    /// Let it begin beside what runs in `fixture`. None, and why, where it cannot.
    pub fn beside(self, fixture: &Fixture) -> Option<Beside> {
        let mut beside = Beside { stop: Stop::default(), threads: Vec::new(), file: None };
        let scratch = fixture.scratch();
        match self {
            Neighbour::Evicts => beside.start(move |stop| evict(&scratch, stop)),
            Neighbour::DropsCaches => {
                if !is_root_or_skip() {
                    return None;
                }
                if let Err(error) = fs::write(DROP_CACHES, "1") {
                    skip(format_args!("{DROP_CACHES} cannot be written: {error}"));
                    return None;
                }
                beside.start(drop_caches);
            }
            Neighbour::Dirties => {
                let path = fixture.file("dirtied-by-a-neighbour");
                let file = File::create(&path).expect("the fixture is ours");
                let same = file.try_clone().expect("a few descriptors are left");
                beside.file = Some(path);
                beside.start(move |stop| dirty(file, stop));
                beside.start(move |stop| write_out(&same, stop));
            }
            Neighbour::HoldsLocked => beside.start(move |stop| hold(&scratch, stop)),
            Neighbour::Burns => {
                let processors = thread::available_parallelism().map_or(1, usize::from);
                (0..processors).for_each(|_| beside.start(burn));
            }
        }
        Some(beside)
    }
}

impl Beside {
    fn start(&mut self, work: impl FnOnce(&Stop) + Send + 'static) {
        let stop = self.stop.clone();
        self.threads.push(thread::spawn(move || work(&stop)));
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.stop.0.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // One that panicked has spoiled nothing, and its test should know.
            if thread.join().is_err() && !thread::panicking() {
                panic!("the neighbour panicked");
            }
        }
        if let Some(file) = &self.file {
            let _ = fs::remove_file(file);
        }
    }
}

/// Whether it is time to end.
#[derive(Clone, Default)]
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn now(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Every file in the scratch directories of a tutor. What has gone meanwhile is left out.
fn scratch_files(scratch: &Path) -> Vec<PathBuf> {
    let entries = |dir: &Path| {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    let mut dirs = vec![scratch.to_owned()];
    while let Some(dir) = dirs.pop() {
        for path in entries(&dir) {
            match fs::symlink_metadata(&path) {
                Ok(about) if about.is_dir() => dirs.push(path),
                Ok(about) if about.is_file() && about.len() > 0 => found.push(path),
                _ => {}
            }
        }
    }
    found
}

fn evict(scratch: &Path, stop: &Stop) {
    let mut random = Random::new();
    while !stop.now() {
        thread::sleep(Duration::from_millis(random.within(5, 120)));
        for path in scratch_files(scratch) {
            let Ok(file) = File::open(path) else { continue };
            // Dirty pages cannot be evicted. Where either fails, the lab has been spoiled a little less.
            let _ = file.sync_data();
            let _ = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
        }
    }
}

fn drop_caches(stop: &Stop) {
    while !stop.now() {
        let _ = fs::write(DROP_CACHES, "1");
        thread::sleep(Duration::from_millis(250));
    }
}

fn dirty(mut file: File, stop: &Stop) {
    let piece = vec![0xa5; 1 << 20];
    let pause = Duration::from_nanos(piece.len() as u64 * 1_000_000_000 / DIRTY_BYTES_A_SECOND);
    let mut next = Instant::now();
    let mut at = 0;
    while !stop.now() {
        file.write_all(&piece).expect("there is room for a small file");
        at += piece.len() as u64;
        if at == DIRTY_FILE_BYTES {
            file.rewind().expect("a file can be read again");
            at = 0;
        }
        // What the kernel held up is not made up for.
        next = (next + pause).max(Instant::now());
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

/// The flusher alone would wait half a minute, and write each page once where it had been dirtied a hundred times.
fn write_out(file: &File, stop: &Stop) {
    while !stop.now() {
        thread::sleep(Duration::from_millis(50));
        let _ = file.sync_data();
    }
}

fn hold(scratch: &Path, stop: &Stop) {
    let mut held: HashMap<PathBuf, (u64, Locked)> = HashMap::new();
    while !stop.now() {
        let files = scratch_files(scratch);
        // A lock on a file that has gone would keep its blocks.
        held.retain(|path, _| files.contains(path));
        for path in files {
            let Ok(file) = File::open(&path) else { continue };
            let Ok(len) = file.metadata().map(|about| about.len()) else { continue };
            if held.get(&path).is_none_or(|(locked, _)| *locked != len)
                && let Ok(lock) = locked(&file)
            {
                held.insert(path, (len, lock));
            }
        }
        thread::sleep(LOOK);
    }
}

fn burn(stop: &Stop) {
    let mut random = Random::new();
    while !stop.now() {
        std::hint::black_box((0..1000).fold(0, |sum, _| sum ^ random.next()));
    }
}

/// A xorshift generator: moments that nobody foresees, and no more.
struct Random(u64);

impl Random {
    fn new() -> Random {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Random(now.as_nanos() as u64 | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn within(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }
}
