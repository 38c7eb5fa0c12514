//! How far the lines of /proc/meminfo go while something is done, held against how far they go on an idle machine.

use crate::pace::rest;
use crate::words::signed;
use instruments::proc::{Counters, Meminfo, counter_grain_bytes, meminfo, percpu_free_bytes, vmstat};
use instruments::size::format_bytes;
use instruments::{Samples, Unavailable};
use lesson::workload::Line as Printed;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How far the counters went in a window of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// How long the window was, nanoseconds.
    pub elapsed_ns: u64,
    /// MemFree
    pub free_bytes: i64,
    /// Free pages on the lists of single processors, which MemFree and MemAvailable leave out. None where nobody tells.
    pub percpu_bytes: Option<i64>,
    /// MemAvailable
    pub available_bytes: i64,
    /// Buffers
    pub buffers_bytes: i64,
    /// Cached
    pub cached_bytes: i64,
    /// File pages that reclaim took from the cache meanwhile, anybody's. None where this kernel does not count them.
    pub reclaimed_pages: Option<u64>,
}

/// What a line of /proc/meminfo stands for. MemFree and MemAvailable are counted together with the processors' own lists of
/// free pages: otherwise a page that waits there would seem to be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// MemFree
    Free,
    /// MemAvailable
    Available,
    /// Buffers
    Buffers,
    /// Cached
    Cached,
}

impl Line {
    /// What it counts; the name of a line only where it is that line alone.
    pub fn name(self) -> &'static str {
        match self {
            Line::Free => "free memory",
            Line::Available => "available memory",
            Line::Buffers => "Buffers",
            Line::Cached => "Cached",
        }
    }

    /// How many of the kernel's counters it is made of, each of which may be off by its grain. Buffers are counted anew
    /// each time.
    fn counters(self) -> u64 {
        match self {
            Line::Buffers => 0,
            Line::Free | Line::Cached => 1,
            // Free pages, and both lists of file pages.
            Line::Available => 3,
        }
    }

    /// How far it went, bytes.
    pub fn of(self, change: &Change) -> i64 {
        let percpu = change.percpu_bytes.unwrap_or(0);
        match self {
            Line::Free => change.free_bytes.saturating_add(percpu),
            Line::Available => change.available_bytes.saturating_add(percpu),
            Line::Buffers => change.buffers_bytes,
            Line::Cached => change.cached_bytes,
        }
    }
}

/// A window that is open: the counters when it began.
#[derive(Debug)]
pub struct Window {
    meminfo: Meminfo,
    percpu: Option<u64>,
    vmstat: Counters,
    clock: Instant,
}

impl Window {
    /// Read the counters, then start the clock.
    pub fn open() -> Result<Window, Unavailable> {
        let vmstat = vmstat().map_err(|error| failed("/proc/vmstat", error))?;
        let (meminfo, percpu) = free_and_cached()?;
        Ok(Window { meminfo, percpu, vmstat, clock: Instant::now() })
    }

    /// Stop the clock, then read the counters again.
    pub fn close(self) -> Result<Change, Unavailable> {
        let elapsed = self.clock.elapsed();
        let (now, percpu) = free_and_cached()?;
        let vmstat = vmstat().map_err(|error| failed("/proc/vmstat", error))?;
        let went = |of: fn(&Meminfo) -> u64| difference(of(&self.meminfo), of(&now));
        Ok(Change {
            elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
            free_bytes: went(|lines| lines.free_bytes),
            percpu_bytes: self.percpu.zip(percpu).map(|(before, after)| difference(before, after)),
            available_bytes: went(|lines| lines.available_bytes),
            buffers_bytes: went(|lines| lines.buffers_bytes),
            cached_bytes: went(|lines| lines.cached_bytes),
            reclaimed_pages: vmstat.grown_since(&self.vmstat, "pgsteal_file"),
        })
    }
}

/// How far the counters go by themselves in so long a time.
pub fn idle(time: Duration) -> Result<Change, Unavailable> {
    let window = Window::open()?;
    rest(time)?;
    window.close()
}

fn free_and_cached() -> Result<(Meminfo, Option<u64>), Unavailable> {
    let meminfo = meminfo().map_err(|error| failed("/proc/meminfo", error))?;
    Ok((meminfo, percpu_free_bytes()))
}

fn failed(file: &str, error: std::io::Error) -> Unavailable {
    Unavailable::failed(format!("read {file}"), error, "")
}

fn difference(before: u64, after: u64) -> i64 {
    i64::try_from(i128::from(after) - i128::from(before)).unwrap_or(0)
}

/// Windows in which nothing was done, each as long as one in which something was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    /// By how much one of the kernel's counters may be off. None where it does not tell.
    pub grain_bytes: Option<u64>,
    /// What the counters did.
    pub windows: Vec<Change>,
}

impl Idle {
    /// No window yet.
    pub fn begin() -> Idle {
        Idle { grain_bytes: counter_grain_bytes(), windows: Vec::new() }
    }

    /// One more window, as long as this one was, within what a learner waits for.
    pub fn as_long_as(&mut self, change: &Change) -> Result<(), Unavailable> {
        let (shortest, longest) = (Duration::from_millis(1), Duration::from_secs(2));
        self.windows.push(idle(Duration::from_nanos(change.elapsed_ns).clamp(shortest, longest))?);
        Ok(())
    }
}

/// The same work in several rounds, held against idle windows between them.
#[derive(Clone, Copy, Debug)]
pub struct Drift<'a> {
    /// Nothing was done.
    pub idle: &'a Idle,
    /// Windows around the work.
    pub work: &'a [Change],
}

impl Drift<'_> {
    /// How far the line went, in the middle of all rounds; None where there were none.
    pub fn median(&self, line: Line) -> Option<f64> {
        self.samples(line).median()
    }

    /// The median of another figure; None where any round lacks it.
    pub fn middle(&self, figure: impl Fn(&Change) -> Option<i64>) -> Option<f64> {
        let values: Option<Vec<f64>> =
            self.work.iter().map(|change| figure(change).map(|bytes| bytes as f64)).collect();
        Samples { values: values?, ..Samples::default() }.median()
    }

    /// How far the line goes by itself: in three of four idle windows no further than this, and never less than the
    /// counters are exact. None without an idle window.
    pub fn floor(&self, line: Line) -> Option<f64> {
        let third = self.mostly_within(&|change| Some(line.of(change)))?;
        Some(third.max(self.idle.grain_bytes.unwrap_or(0).saturating_mul(line.counters()) as f64))
    }

    /// How far a figure goes by itself: no further than this in three of four idle windows. None without a window.
    pub fn mostly_within(&self, figure: &dyn Fn(&Change) -> Option<i64>) -> Option<f64> {
        let ways =
            self.idle.windows.iter().filter_map(figure).map(|bytes| bytes.unsigned_abs() as f64).collect();
        let ways = Samples { values: ways, ..Samples::default() };
        ways.quartiles().map(|(_, third)| third).or(ways.median())
    }

    /// The line among these that others move most, if they move it enough for a quarter of `size_bytes` to prove nothing:
    /// in idle windows, or by how much the rounds differ.
    pub fn too_loud(&self, lines: &[Line], size_bytes: u64) -> Option<(Line, f64)> {
        let noise = |line: &Line| {
            let differ = self.samples(*line).half_spread().unwrap_or(0.0);
            Some((*line, self.floor(*line)?.max(differ)))
        };
        let loudest = lines.iter().filter_map(noise).max_by(|(_, a), (_, b)| a.total_cmp(b));
        loudest.filter(|(_, noise)| *noise > size_bytes as f64 / 4.0)
    }

    /// `-256 MiB` and `idle: 1.20 MiB`, as far as it is known.
    pub fn told(&self, line: Line) -> (String, String) {
        let median = self.median(line).map_or_else(|| "unknown".to_owned(), signed);
        let floor = self.floor(line).map_or_else(
            || "never watched idle".to_owned(),
            |floor| format!("idle: mostly within {}", format_bytes(floor as u64)),
        );
        (median, floor)
    }

    fn samples(&self, line: Line) -> Samples {
        let values = self.work.iter().map(|change| line.of(change) as f64).collect();
        Samples { values, ..Samples::default() }
    }
}

/// The change as a workload prints it.
pub fn print(line: Printed, change: &Change) -> Printed {
    line.with("elapsed_ns", change.elapsed_ns)
        .with("free_change_bytes", change.free_bytes)
        .with_known("percpu_change_bytes", change.percpu_bytes)
        .with("available_change_bytes", change.available_bytes)
        .with("buffers_change_bytes", change.buffers_bytes)
        .with("cached_change_bytes", change.cached_bytes)
        .with_known("reclaimed_pages", change.reclaimed_pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(cached_bytes: i64) -> Change {
        Change { elapsed_ns: 10, cached_bytes, ..Change::default() }
    }

    fn idle_of(grain_bytes: u64, cached: &[i64]) -> Idle {
        let windows = cached.iter().map(|bytes| change(*bytes)).collect();
        Idle { grain_bytes: Some(grain_bytes), windows }
    }

    #[test]
    fn the_floor_is_how_far_most_idle_windows_went_but_never_below_the_grain() {
        let work = [change(100), change(90), change(95)];
        let of = |idle: &Idle| Drift { idle, work: &work }.floor(Line::Cached);
        assert_eq!(of(&idle_of(1, &[3, -5, 4, 0, 900])), Some(5.0), "one of five may be wild");
        assert_eq!(of(&idle_of(8, &[3, -5, 4, 0, 900])), Some(8.0));
        assert_eq!(of(&Idle::default()), None);
        assert_eq!(Drift { idle: &Idle::default(), work: &work }.median(Line::Cached), Some(95.0));
        assert_eq!(Drift { idle: &Idle::default(), work: &[] }.median(Line::Cached), None);
    }

    #[test]
    fn too_loud_is_a_line_that_moves_by_itself_or_never_twice_alike() {
        let loud = |idle: &[i64], work: &[i64]| {
            let work: Vec<_> = work.iter().map(|bytes| change(*bytes)).collect();
            let drift = Drift { idle: &idle_of(0, idle), work: &work };
            drift.too_loud(&[Line::Cached, Line::Buffers], 100)
        };
        assert_eq!(loud(&[0, 1, 0, 20], &[100, 101, 99]), None);
        assert_eq!(loud(&[30, 30, 30], &[100, 101, 99]), Some((Line::Cached, 30.0)));
        assert_eq!(loud(&[0, 0, 0], &[0, 100, 200]), Some((Line::Cached, 50.0)));
    }

    #[test]
    fn free_memory_is_free_on_whichever_list() {
        let change =
            Change { free_bytes: 14, percpu_bytes: Some(241), available_bytes: -241, ..Change::default() };
        assert_eq!((Line::Free.of(&change), Line::Available.of(&change)), (255, 0));
        let unknown = Change { percpu_bytes: None, ..change };
        assert_eq!((Line::Free.of(&unknown), Line::Available.of(&unknown)), (14, -241));
    }

    #[test]
    fn a_window_of_nothing_has_a_length() {
        let change = idle(Duration::from_millis(5)).expect("the counters can be read");
        assert!(change.elapsed_ns >= 5_000_000, "{change:?}");
    }
}
