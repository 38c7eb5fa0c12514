//! `tutor lab`: from the command line to a session on the screen or a JSON document.

use crate::bar::Bar;
use crate::capabilities::Capabilities;
use crate::document::{self, Played};
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::progress::Store;
use crate::projector::{self, Here, Palette, Show, Shown};
use crate::prompt::Keyboard;
use crate::session::{Ahead, Live, Replay, Screen, Session, Source, Stage};
use crate::setting::{self, Typed, Wanted};
use crate::state::State;
use crate::{course, record, render};
use clap::Args;
use instruments::bench::Progress;
use instruments::limit;
use lesson::Lab;
use std::path::PathBuf;

/// The guided session of a lab
#[derive(Args, Debug)]
#[command(override_usage = "tutor lab [OPTIONS] <N|NAME>")]
pub struct LabArgs {
    /// Number or name of the lab, as `tutor list` shows them
    #[arg(value_name = "N|NAME")]
    lab: Option<String>,
    /// Size of the data file, such as 512M
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, conflicts_with = "replay")]
    size: Option<String>,
    /// Block size of read loops, such as 128K
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, conflicts_with = "replay")]
    block: Option<String>,
    /// Trials that each figure is the median of
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true, conflicts_with = "replay")]
    trials: Option<String>,
    /// Wait for what takes the kernel half a minute, and watch it
    #[arg(long, conflicts_with = "replay")]
    patient: bool,
    /// Where the scratch files go: a directory, on a real disk for most labs
    #[arg(long, conflicts_with = "replay")]
    dir: Option<PathBuf>,
    /// Answers given ahead, in the order of the acts, such as b,25x,skip
    #[arg(long, value_name = "ANSWERS")]
    predict: Option<String>,
    /// Skip every question
    #[arg(long, conflicts_with = "predict")]
    no_predict: bool,
    /// Start at this act
    #[arg(long, value_name = "ACT")]
    step: Option<String>,
    /// Keep what is measured in this file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Show a recording instead of measuring: FILE, or the lab's own
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    replay: Option<Option<PathBuf>>,
    /// One JSON document on standard output; nothing is asked
    #[arg(long)]
    json: bool,
    /// For a projector: one idea a screen, large, with the keys of a presenter's clicker
    #[arg(long, conflicts_with_all = ["json", "plain"])]
    projector: bool,
    /// Light text on a dark ground
    #[arg(long, requires = "projector")]
    dark: bool,
}

/// `tutor lab`
pub fn run(args: &LabArgs, out: &mut Out) -> Result {
    let lab = args.lab.as_deref().map_or_else(|| Err(course::which("lab")), course::find)?;
    let typed = Typed {
        size: args.size.as_deref(),
        block: args.block.as_deref(),
        trials: args.trials.as_deref(),
        patient: args.patient,
    };
    let wanted = setting::read(&lab.card, &typed)?;
    let palette = if args.projector { Some(projector::palette(args.dark)?) } else { None };
    let first = args.step.as_deref().map(|step| first_act(&lab, step)).transpose()?;
    let mut store = Store::open(State::here());
    let run = Run { args, lab: &lab, first, palette, store: &mut store, out, here: None };
    match &args.replay {
        Some(file) => run.with(&mut Replay::new(record::read(&lab, file.as_deref())?)),
        None => run.live(&wanted),
    }
}

fn first_act(lab: &Lab, step: &str) -> Result<usize> {
    let ids: Vec<_> = lab.acts.iter().map(|act| act.id()).collect();
    ids.iter().position(|id| *id == step).ok_or_else(|| {
        Ending::Usage(format!("lab {} has no act `{step}`; it has {}", lab.card.number, ids.join(", ")))
    })
}

struct Run<'a> {
    args: &'a LabArgs,
    lab: &'a Lab,
    first: Option<usize>,
    palette: Option<Palette>,
    store: &'a mut Store,
    out: &'a mut Out,
    /// The projector's terminal, where it has been taken already.
    here: Option<Here>,
}

impl Run<'_> {
    fn live(mut self, wanted: &Wanted) -> Result {
        self.store.state().collect();
        limit::collect();
        let mut progress: Box<dyn Progress> = match self.palette {
            Some(_) => Box::new(Shown),
            None => Box::new(Bar::new(Capabilities::here())),
        };
        match Live::open(&self.lab.card, wanted, self.args.dir.as_deref(), progress.as_mut()) {
            Ok(mut live) => {
                if let Some(dir) = &self.args.dir {
                    self.store.state().remember_dir(dir);
                }
                self.with(&mut live)
            }
            Err(ending) => {
                if let (true, Ending::Failed(reason)) = (self.args.json, &ending) {
                    self.out.json(&document::of_nothing(self.lab, self.first.unwrap_or(0), reason))?;
                }
                if let (Some(palette), Ending::Failed(reason)) = (self.palette, &ending) {
                    let number = self.lab.card.number;
                    let mut here = Here::take(palette)?;
                    if projector::offer(&mut here, &self.lab.card, reason)? {
                        // What was offered and wanted has been shown: that ends with 0, as with --replay.
                        let mut replay = Replay::new(record::read(self.lab, None)?);
                        self.here = Some(here);
                        return self.with(&mut replay);
                    }
                    drop(here);
                    return Err(Ending::Failed(format!(
                        "{reason}; `tutor lab {number} --projector --replay` shows what another machine said"
                    )));
                }
                Err(ending)
            }
        }
    }

    fn with(self, source: &mut dyn Source) -> Result {
        // A recording that is shown in place of a measurement is not recorded again.
        let record = self.args.record.as_deref().filter(|_| source.recording().is_none());
        let file = record.map(record::destination).transpose()?;
        let ahead = self.ahead(source)?;
        let lab = self.lab;
        let (rounds, ended) = match self.palette {
            Some(palette) => self.project(source, ahead, palette)?,
            None if self.args.json => self.document(source, &ahead)?,
            None => self.guide(source, ahead),
        };
        if let Some(file) = file
            && rounds.iter().any(Option::is_some)
        {
            record::write(&file, &record::of(lab, source, &rounds))?;
        }
        ended
    }

    fn ahead(&self, source: &dyn Source) -> Result<Ahead> {
        match &self.args.predict {
            Some(answers) => Ahead::read(self.lab, source.setting(), self.first.unwrap_or(0), answers),
            None if self.args.no_predict => Ok(Ahead::skip_all(self.lab)),
            None => Ok(Ahead::nothing(self.lab)),
        }
    }

    fn document(self, source: &mut dyn Source, ahead: &Ahead) -> Result<(Rounds, Result)> {
        let mut stage = Stage { lab: self.lab, source, store: self.store };
        let played = Played::play(&mut stage, ahead, self.first.unwrap_or(0));
        if !played.is_interrupted() {
            self.out.json(&played.document(self.lab, source))?;
        }
        Ok(played.into_parts())
    }

    fn project(
        mut self,
        source: &mut dyn Source,
        ahead: Ahead,
        palette: Palette,
    ) -> Result<(Rounds, Result)> {
        let mut here = self.here.take().map_or_else(|| Here::take(palette), Ok)?;
        let stage = Stage { lab: self.lab, source, store: self.store };
        stage.store.follow(self.lab.card.slug);
        let mut show = Show::new(stage, &mut here, palette, ahead, self.first.unwrap_or(0));
        let ended = show.run();
        let rounds = show.into_rounds();
        self.store.unfollow(self.lab.card.slug);
        drop(here);
        // A recording is not what was done here: it is no work to go on from.
        let done = source.recording().is_none() && rounds.iter().any(Option::is_some);
        if ended.is_ok() && done && self.store.keeps() {
            let number = self.lab.card.number;
            let kept = format!("What you have done is kept: `tutor lab {number}` goes on from there.");
            self.out.lines(render::paragraph(&kept, &Capabilities::here().canvas()))?;
        }
        Ok((rounds, ended))
    }

    fn guide(self, source: &mut dyn Source, ahead: Ahead) -> (Rounds, Result) {
        let screen = Screen::new(self.out, Keyboard::stdin(), Capabilities::here());
        let stage = Stage { lab: self.lab, source, store: self.store };
        if screen.has_person() {
            stage.store.follow(self.lab.card.slug);
        }
        let mut session = Session::new(stage, screen, ahead, self.first);
        let ended = session.run();
        let rounds = session.into_rounds();
        self.store.unfollow(self.lab.card.slug);
        (rounds, ended)
    }
}

type Rounds = Vec<Option<crate::session::Round>>;
