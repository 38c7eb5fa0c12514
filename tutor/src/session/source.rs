//! Where evidence comes from: this machine, now, or a recording.

use crate::exit::Result;
use crate::record;
use crate::setting::{self, Room, Wanted};
use instruments::bench::Progress;
use instruments::scratch::Scratch;
use instruments::{Bench, Host, Unavailable};
use lesson::{AnyAct, Card, Caveat, Recording, Setting};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Gives the evidence of an act.
pub trait Source {
    /// The machine and the knobs that the evidence belongs to.
    fn setting(&self) -> &Setting;
    /// The evidence of this act. Takes as long as it takes.
    fn evidence(&mut self, act: &dyn AnyAct) -> std::result::Result<Value, Unavailable>;
    /// Whether acts that watch may take as long as that takes (`--patient`).
    fn is_patient(&self) -> bool {
        false
    }
    /// The label of a recorded session.
    fn recording(&self) -> Option<&Replay> {
        None
    }
    /// A path that only means something on this machine, and must not leave it in a recording.
    fn private_path(&self) -> Option<&Path> {
        None
    }
    /// What has to be said beside every figure of this session.
    fn caveats(&self) -> Vec<Caveat> {
        Vec::new()
    }
}

/// This machine, now.
#[derive(Debug)]
pub struct Live<'a> {
    setting: Setting,
    smaller: Option<String>,
    bench: Bench<'a>,
}

impl<'a> Live<'a> {
    /// Find a place, on a real disk where the lab needs one, and fit the plan to the machine. Writes no file yet.
    pub fn open(
        card: &Card,
        wanted: &Wanted,
        dir: Option<&Path>,
        progress: &'a mut dyn Progress,
    ) -> Result<Live<'a>> {
        let scratch =
            if card.needs_a_disk() { Scratch::create(dir)? } else { Scratch::create_anywhere(dir)? };
        let host = Host::probe(scratch.path())?;
        let room = Room::of(&host, scratch.free_bytes()?);
        let place = scratch.path().parent().unwrap_or(scratch.path()).display().to_string();
        let planned = setting::plan(card, wanted, &room, &place)?;
        // The very file that runs now, even if it has been rebuilt or moved meanwhile.
        let tutor = PathBuf::from("/proc/self/exe");
        let setting = Setting { host: host.clone(), plan: planned.plan.clone() };
        let bench = Bench::new(host, planned.plan, scratch, tutor, progress).patient(wanted.patient());
        Ok(Live { setting, smaller: planned.smaller, bench })
    }
}

/// A scratch file by the directory that the learner knows: its own name says nothing, and has gone by now.
fn in_known_places(unavailable: Unavailable, scratch: &Path) -> Unavailable {
    let inside = format!("{}/", scratch.display());
    let known = scratch.parent().unwrap_or(scratch).display().to_string();
    let told = |text: String| {
        let mut parts = text.split(&inside);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let name = part.find([' ', ':', ',', ';', '`', '\'', '"']).unwrap_or(part.len());
            out += &known;
            out += &part[name..];
        }
        out
    };
    match unavailable {
        Unavailable::Failed { what, why, remedy } => {
            Unavailable::Failed { what: told(what), why: told(why), remedy: told(remedy) }
        }
        Unavailable::Lacking { what, needs, remedy } => {
            Unavailable::Lacking { what: told(what), needs: told(needs), remedy: told(remedy) }
        }
        Unavailable::Interrupted => Unavailable::Interrupted,
    }
}

impl Source for Live<'_> {
    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn evidence(&mut self, act: &dyn AnyAct) -> std::result::Result<Value, Unavailable> {
        let measured = act.measure(&mut self.bench);
        self.bench.end();
        // A child that was killed by our own signal handling looks like a failure.
        instruments::interrupt::check()?;
        measured.map_err(|unavailable| in_known_places(unavailable, self.bench.scratch().path()))
    }

    fn is_patient(&self) -> bool {
        self.bench.is_patient()
    }

    fn private_path(&self) -> Option<&Path> {
        Some(self.bench.scratch().path())
    }

    fn caveats(&self) -> Vec<Caveat> {
        self.smaller.iter().cloned().map(Caveat::Smaller).collect()
    }
}

/// A recording.
#[derive(Debug)]
pub struct Replay {
    /// Machine and date.
    pub label: String,
    /// UTC date.
    pub recorded_on: String,
    recording: Recording,
}

impl Replay {
    /// Show this again.
    pub fn new(recording: Recording) -> Replay {
        let label = record::label(&recording);
        Replay { label, recorded_on: recording.recorded_on.clone(), recording }
    }

    /// What was measured in this act, where it was.
    pub fn evidence_of(&self, act: &str) -> Option<&Value> {
        self.recording.act(act)?.evidence.as_ref()
    }
}

impl Source for Replay {
    fn setting(&self) -> &Setting {
        &self.recording.setting
    }

    fn evidence(&mut self, act: &dyn AnyAct) -> std::result::Result<Value, Unavailable> {
        let what = || format!("show act {}", act.id());
        let Some(recorded) = self.recording.act(act.id()) else {
            return Err(Unavailable::lacking(what(), "a recording of it, and this one has none", ""));
        };
        recorded.evidence.clone().ok_or_else(|| {
            let why = recorded.unavailable.as_deref().unwrap_or("the recording holds no evidence");
            Unavailable::lacking(what(), format!("what the recorded machine could not measure ({why})"), "")
        })
    }

    fn recording(&self) -> Option<&Replay> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_directory_that_the_learner_knows() {
        let failed = Unavailable::failed(
            "write 64 MiB to /mnt/x/page-cache-tutor-600-Wk/just-written",
            "only 0 B are free there",
            "",
        );
        let told = in_known_places(failed, Path::new("/mnt/x/page-cache-tutor-600-Wk"));
        assert_eq!(told.to_string(), "cannot write 64 MiB to /mnt/x: only 0 B are free there");
        let lacking = Unavailable::lacking("run `cread /d/s/a /d/s`", "strace", "");
        assert_eq!(
            in_known_places(lacking, Path::new("/d/s")).to_string(),
            "cannot run `cread /d /d/s`: needs strace"
        );
    }
}
