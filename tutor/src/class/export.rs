//! `tutor export FILE`: this learner's predictions and outcomes, for a class, with nobody's name in them.

use super::attempt_selection::selected;
use super::file::{Answer, Came, Export, KIND, Machine, SCHEMA};
use crate::atomic;
use crate::exit::{Ending, Result, complain};
use crate::out::Out;
use crate::progress::{Attempt, End, Progress, Store, today};
use crate::state::State;
use clap::Args;
use instruments::Host;
use instruments::open::shown;
use instruments::scratch::Scratch;
use lesson::{Outcome, Prediction, Verdict};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file in the state directory with the learner's random number.
const LEARNER: &str = "learner";

/// Your predictions and outcomes in a file for the class: no name, no path, nothing but numbers and the kind of machine
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Where it goes; - is standard output
    file: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
    /// The directory that the labs used with --dir: its filesystem and disk are meant
    #[arg(long)]
    dir: Option<PathBuf>,
}

/// `tutor export`
pub fn run(args: &ExportArgs, out: &mut Out) -> Result {
    let store = Store::open(State::here());
    let labs = labs(store.progress());
    if labs.is_empty() {
        return Err(Ending::Failed(
            "there is nothing to export yet: `tutor lab 1` asks the first question".to_owned(),
        ));
    }
    let to_stdout = args.file == Path::new("-");
    let destination = if to_stdout { None } else { Some(destination(&args.file, args.force)?) };
    let export = Export {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        tutor: env!("CARGO_PKG_VERSION").to_owned(),
        learner: learner(store.state())?,
        exported_on: today(),
        machine: Machine::of(&host(args.dir.as_deref())?),
        labs,
    };
    let Some(path) = destination else { return out.json(&export) };
    let failed =
        |why: &dyn std::fmt::Display| Ending::failed(format_args!("export to {}", shown(&args.file)), why);
    let mut json = serde_json::to_vec_pretty(&export).map_err(|error| failed(&error))?;
    json.push(b'\n');
    atomic::write(&path, &json, 0o666).map_err(|error| failed(&error))?;
    out.line(format_args!(
        "Wrote {} to {}, and the kind of this machine: no name, no path.",
        held(&export),
        shown(&args.file)
    ))
}

/// `3 predictions, 7 measured here, 24 from a recording`
pub(super) fn held(export: &Export) -> String {
    let acts = || export.labs.values().flat_map(BTreeMap::values);
    let count = |holds: &dyn Fn(&[Answer]) -> bool| acts().filter(|rounds| holds(rounds)).count();
    let measured = |round: &Answer| !round.recorded && round.outcome.is_some();
    let predicted = count(&|rounds| rounds.iter().any(|round| round.prediction != Prediction::Skipped));
    let here = count(&|rounds| rounds.iter().any(measured));
    let recorded = count(&|rounds| {
        rounds.iter().any(|round| round.recorded && round.outcome.is_some()) && !rounds.iter().any(measured)
    });
    let plural = if predicted == 1 { "" } else { "s" };
    let mut told = format!("{predicted} prediction{plural}, {here} measured here");
    if recorded > 0 {
        told.push_str(&format!(", {recorded} from a recording"));
    }
    told
}

/// Where it is written: never over a file that somebody may still want.
pub fn destination(file: &Path, force: bool) -> Result<PathBuf> {
    let failed = |why: &dyn std::fmt::Display| Ending::failed(format_args!("write {}", shown(file)), why);
    let path = atomic::destination(file).map_err(|error| failed(&error))?;
    // A link that leads nowhere is there, too: what it was meant for is not ours to decide.
    if path.symlink_metadata().is_ok() && !force {
        return Err(failed(&"it is there already; --force replaces it"));
    }
    atomic::check_writable(&path).map_err(|error| failed(&error))?;
    Ok(path)
}

fn host(dir: Option<&Path>) -> Result<Host> {
    let scratch = Scratch::create(dir)?;
    Ok(Host::probe(scratch.path())?)
}

pub(super) fn labs(progress: &Progress) -> BTreeMap<String, BTreeMap<String, Vec<Answer>>> {
    let of_lab = |(slug, lab): (&String, &crate::progress::LabProgress)| {
        let acts = lab.acts.iter().filter(|(_, attempts)| !attempts.is_empty());
        let acts: BTreeMap<_, _> = acts
            .map(|(id, attempts)| (id.clone(), selected(attempts.iter().map(answer).collect())))
            .collect();
        (!acts.is_empty()).then(|| (slug.clone(), acts))
    };
    progress.labs.iter().filter_map(of_lab).collect()
}

fn answer(attempt: &Attempt) -> Answer {
    let (outcome, verdict) = match &attempt.end {
        None => (None, Verdict::None),
        Some(End::Unavailable(_)) => (Some(Came::Unavailable), Verdict::None),
        Some(End::Revealed { outcome, verdict, .. }) => (Some(came(outcome)), *verdict),
    };
    let prediction = match attempt.prediction {
        Prediction::Quantity(value) if !value.is_finite() => Prediction::Skipped,
        ref prediction => prediction.clone(),
    };
    let (on, plan) = (attempt.on.clone(), attempt.plan.clone());
    Answer { on, recorded: attempt.recorded, prediction, plan, outcome, verdict }
}

fn came(outcome: &Outcome) -> Came {
    match outcome {
        Outcome::Choice(id) => Came::Choice(id.clone()),
        Outcome::Quantity(value) if value.is_finite() => Came::Quantity(*value),
        Outcome::Quantity(_) | Outcome::Undecided(_) => Came::Undecided,
    }
}

/// This learner's random number, made at the first export and kept, so that a second export replaces the first.
fn learner(state: &State) -> Result<String> {
    let kept = state.file(LEARNER).and_then(|file| fs::read_to_string(file).ok());
    if let Some(number) = kept.map(|text| text.trim().to_owned()).filter(|number| is_learner(number)) {
        return Ok(number);
    }
    let mut bytes = [0; 8];
    File::open("/dev/urandom")
        .and_then(|mut random| random.read_exact(&mut bytes))
        .map_err(|error| Ending::failed("draw a random number from /dev/urandom", error))?;
    let number = format!("{:016x}", u64::from_ne_bytes(bytes));
    let written = state.make().and_then(|dir| {
        atomic::write(&dir.join(LEARNER), number.as_bytes(), 0o600).map_err(|error| error.to_string())
    });
    if let Err(why) = written {
        complain(format_args!("a second export will count as another learner's: {why}"));
    }
    Ok(number)
}

/// Whether this is such a number.
pub(super) fn is_learner(number: &str) -> bool {
    number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit())
}
