//! The ways to the bytes and what each cost, from passes that were in the state that they had to be in.

use crate::copies::Arms;
use crate::pass::{self, Pass};
use instruments::size::format_bytes;
use instruments::{Bench, Samples, Unavailable};
use lesson::arms;
use std::path::Path;

/// The option and the arm: a read() loop.
pub const READ: &str = "read";

/// The option and the arm: a mapping.
pub const MMAP: &str = "mmap";

/// The state in which passes run, and how many bytes each must have added up.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// All pages of the file resident, nothing from the device.
    Warm {
        /// Pages of the whole file.
        pages: u64,
        /// Bytes to add up.
        bytes: u64,
    },
    /// No page resident, all bytes from the device.
    Cold {
        /// Bytes to add up.
        bytes: u64,
    },
}

impl State {
    /// Whether a pass was in this state and did all of the work. Err says what was wrong.
    pub fn counts(self, pass: &Pass) -> Result<(), String> {
        let wanted = match self {
            State::Warm { pages, bytes } => pass.is_warm(pages).map(|()| bytes)?,
            State::Cold { bytes } => pass.is_cold().map(|()| bytes)?,
        };
        if pass.bytes == wanted { Ok(()) } else { Err(format!("it added up {}", format_bytes(pass.bytes))) }
    }

    /// Bring the file into this state, and prove it.
    pub fn prepare(self, bench: &mut Bench<'_>, path: &Path) -> Result<(), Unavailable> {
        match self {
            State::Warm { .. } => bench.warm_up(path),
            State::Cold { .. } => bench.make_cold(path),
        }
    }

    /// Bytes to add up.
    pub fn bytes(self) -> u64 {
        match self {
            State::Warm { bytes, .. } | State::Cold { bytes } => bytes,
        }
    }
}

/// Times of all ways in one state, from passes that were in it.
pub struct Times<'a> {
    /// A read() loop.
    pub read: Way<'a>,
    /// A mapping.
    pub mmap: Way<'a>,
    /// A mapping made with MAP_POPULATE.
    pub populate: Way<'a>,
    /// The adding alone; warm only.
    pub adding: Way<'a>,
}

impl<'a> Times<'a> {
    /// What the arms say, less the passes that were in another state.
    pub fn of(arms: &'a Arms, state: State) -> Times<'a> {
        let way = |name, passes| Way::of(name, passes, state);
        Times {
            read: way(READ, &arms.read),
            mmap: way(MMAP, &arms.mmap),
            populate: way("populate", &arms.populate),
            adding: way("adding alone", &arms.adding),
        }
    }

    /// All that were tried.
    pub fn all(&self) -> impl Iterator<Item = &Way<'a>> {
        let ways = [&self.read, &self.mmap, &self.populate, &self.adding];
        ways.into_iter().filter(|way| way.tried)
    }

    /// The faster of read and mmap and the slower one, where their spreads are apart.
    pub fn verdict(&self) -> Option<(&Way<'a>, &Way<'a>)> {
        if !self.read.elapsed.is_apart_from(&self.mmap.elapsed) {
            None
        } else if self.read.elapsed.median() < self.mmap.elapsed.median() {
            Some((&self.read, &self.mmap))
        } else {
            Some((&self.mmap, &self.read))
        }
    }

    /// Why read and mmap cannot be compared.
    pub fn too_few(&self) -> Option<String> {
        arms::too_few(&[(READ, &self.read.elapsed), (MMAP, &self.mmap.elapsed)])
    }
}

/// What one way cost, from the passes that count.
pub struct Way<'a> {
    /// As in the figure.
    pub name: &'static str,
    /// The passes that count.
    pub kept: Vec<&'a Pass>,
    /// Their times, nanoseconds, and how many passes were thrown away.
    pub elapsed: Samples,
    /// Whether there were any passes.
    pub tried: bool,
}

impl<'a> Way<'a> {
    /// Sort out the passes of one way.
    pub fn of(name: &'static str, passes: &'a [Pass], state: State) -> Way<'a> {
        let counts = |pass: &Pass| state.counts(pass);
        Way {
            name,
            kept: pass::kept(passes, counts),
            elapsed: pass::samples(passes, counts, |pass| pass.elapsed_ns),
            tried: !passes.is_empty(),
        }
    }

    /// One figure of each pass that counts.
    pub fn samples(&self, figure: impl Fn(&Pass) -> u64) -> Samples {
        Samples { values: self.kept.iter().map(|pass| figure(pass) as f64).collect(), ..Samples::default() }
    }

    /// The middle of it; 0 where no pass counts.
    pub fn median(&self, figure: impl Fn(&Pass) -> u64) -> u64 {
        self.samples(figure).median().unwrap_or(0.0) as u64
    }

    /// Bytes from the device in the middle pass; None unless all were counted.
    pub fn device_bytes(&self) -> Option<u64> {
        let counted = !self.kept.is_empty() && self.kept.iter().all(|pass| pass.device_read_bytes.is_some());
        counted.then(|| self.median(|pass| pass.device_read_bytes.unwrap_or(0)))
    }
}
