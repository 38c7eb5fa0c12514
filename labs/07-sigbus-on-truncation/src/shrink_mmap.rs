//! Act 3: the page after the new end, through a mapping, on every kind of file that is at hand.

mod figures;
mod options;

use crate::cause::Why;
use crate::cut::Cut;
use crate::ended::{Ended, run_to_death, value_or_death};
use crate::notes;
use crate::words;
use crate::workloads::place;
use instruments::pages::huge_page_bytes;
use instruments::size::{format_count, shell_bytes};
use instruments::{Bench, Unavailable};
use lesson::{Act, Ask, Caveat, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};

/// The act.
#[derive(Debug)]
pub struct ShrinkMmap;

/// The same touch in several places. The first is the scratch disk, and decides.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// One a place.
    pub places: Vec<Place>,
    /// Places that could not be had: what, and what they need.
    pub missing: Vec<(String, String)>,
}

/// One kind of file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Such as ext4 or tmpfs.
    pub name: String,
    /// The file and the cut there.
    pub cut: Cut,
    /// After another process had cut the file.
    pub shrunk: Touch,
    /// In a file that never was longer than the cut one.
    pub never_longer: Touch,
}

/// A load from the first byte of the page after the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Touch {
    /// What the other process was told; `none` where it cut the file, None where nothing was to be cut.
    pub cut_error: Option<String>,
    /// The error of a write() that was to read the byte; `none` where it did.
    pub system_call_error: String,
    /// What the load came to.
    pub ended: Ended,
    /// Bytes of the mapping that the page table reached after it; None after a death.
    pub mapped_bytes: Option<u64>,
    /// Bytes of them through huge-page entries.
    pub huge_bytes: Option<u64>,
}

const HUGE_TMPFS: &str = "huge-page tmpfs";

/// A huge page larger than this takes more memory and time than the act may.
const MAX_HUGE_BYTES: u64 = 32 << 20;

impl Act for ShrinkMmap {
    type Evidence = Evidence;
    const ID: &'static str = "shrink-mmap";
    const TITLE: &'static str = "the page after the new end";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::SHRINK_MMAP;

    fn question(&self, setting: &Setting) -> Question {
        let cut = Cut::of(setting);
        Question {
            setup: format!(
                "The same file, mapped and cut again to {} bytes: it ends in page {}. This time the program loads the \
                 first byte of page {}. That page is inside the mapping, was the file's, and had been touched before.",
                format_count(cut.kept_bytes),
                cut.last_page(),
                cut.last_page() + 1
            ),
            commands: vec![command(&cut)],
            ask: format!("What does the load of byte {} come to?", format_count(cut.next_page_at())),
            answer: Ask::Choice(options::options()),
            hint: "A system call returns a number. What does a load instruction return?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        let cut = Cut::new(bench.plan().size_bytes, bench.host().page_bytes);
        let mut evidence = Evidence::default();
        bench.begin("touch the page after the end, in several places", 6);
        let here = match bench.host().filesystem.kind.as_str() {
            // There will be others.
            "tmpfs" => "this tmpfs".to_owned(),
            kind => kind.to_owned(),
        };
        let dir: OsString = bench.scratch().path().into();
        evidence.places.push(try_place(bench, &here, cut, &["--dir".into(), dir])?);

        let huge = huge_page_bytes().filter(|huge| *huge <= MAX_HUGE_BYTES);
        let huge_cut = huge.map(|huge| Cut::new(huge, cut.page_bytes));
        for (name, huge, cut) in [("tmpfs", false, Some(cut)), (HUGE_TMPFS, true, huge_cut)] {
            let Some(cut) = cut else {
                evidence.missing.push((name.into(), "huge pages of a size that fits into this act".into()));
                continue;
            };
            let tmpfs_bytes = 4 * cut.size_bytes;
            match place::try_tmpfs(tmpfs_bytes, huge, "mount a tmpfs for one child") {
                Ok(()) => {}
                Err(Unavailable::Lacking { needs, .. }) => {
                    evidence.missing.push((name.into(), needs));
                    continue;
                }
                Err(other) => return Err(other),
            }
            let mut args: Vec<OsString> = vec!["--own-tmpfs".into(), shell_bytes(tmpfs_bytes).into()];
            args.extend(huge.then(|| "--huge".into()));
            evidence.places.push(try_place(bench, name, cut, &args)?);
        }
        bench.end();
        Ok(evidence)
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut figures = Vec::new();
        figures.extend(evidence.places.first().map(figures::how_it_ended));
        figures.push(figures::all_places(evidence));
        let missing = |(what, needs): &(String, String)| {
            Caveat::Other(format!("Not tried on {what}: it needs {needs}."))
        };
        let cut = evidence.places.first().map(|place| place.cut).unwrap_or_default();
        Reveal {
            outcome,
            sentence,
            figures,
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats: evidence.missing.iter().map(missing).collect(),
            try_next: [command(&cut), "tutor run mapcut --by-hand".to_owned()]
                .into_iter()
                .chain(evidence.places.iter().find(|place| place.name == HUGE_TMPFS).map(huge_command))
                .collect(),
            sources: [
                "man 2 mmap (ERRORS, SIGBUS)",
                "man 2 sigaction (si_code)",
                "mm/filemap.c, filemap_fault (Linux 6.18)",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

fn command(cut: &Cut) -> String {
    let (size, keep) = (shell_bytes(cut.size_bytes), cut.kept_bytes);
    format!("tutor run mapcut --size {size} --keep {keep} --at {}", cut.next_page_at())
}

/// The file that never was longer than a part of its huge page.
fn huge_command(place: &Place) -> String {
    let (tmpfs, size) =
        (shell_bytes(place.cut.size_bytes.saturating_mul(4)), shell_bytes(place.cut.size_bytes));
    format!("tutor run mapcut --own-tmpfs {tmpfs} --huge --size {size} --never-longer")
}

fn try_place(bench: &mut Bench<'_>, name: &str, cut: Cut, place: &[OsString]) -> Result<Place, Unavailable> {
    let shrunk = touch(bench, cut, false, place)?;
    let never_longer = touch(bench, cut, true, place)?;
    Ok(Place { name: name.to_owned(), cut, shrunk, never_longer })
}

fn touch(
    bench: &mut Bench<'_>,
    cut: Cut,
    never_longer: bool,
    place: &[OsString],
) -> Result<Touch, Unavailable> {
    let numbers = [cut.size_bytes, cut.kept_bytes, cut.next_page_at()].map(shell_bytes);
    let [size, keep, at] = &numbers;
    let mut args = ["--size", size, "--keep", keep, "--at", at].map(OsStr::new).to_vec();
    args.extend(never_longer.then(|| OsStr::new("--never-longer")));
    args.extend(place.iter().map(OsString::as_os_str));
    let (run, death) = run_to_death(bench, "mapcut", &args)?;
    bench.done(1)?;
    let held = |key| if death.is_none() { run.u64_if_known(key) } else { Ok(None) };
    Ok(Touch {
        cut_error: if never_longer { None } else { Some(run.text("cut_error")?.to_owned()) },
        system_call_error: run.text("system_call_error")?.to_owned(),
        mapped_bytes: held("mapped_bytes")?,
        huge_bytes: held("huge_bytes")?,
        ended: value_or_death(&run, death)?,
    })
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let undecided =
        |why: String| (Outcome::Undecided(why.clone()), format!("This cannot be told here: {why}."));
    let Some(Place { cut, shrunk, .. }) = evidence.places.first() else {
        return undecided("nothing was touched".to_owned());
    };
    if let Some(why) = shrunk.cut_error.as_deref().and_then(words::not_cut) {
        return undecided(why);
    }
    let page = cut.page_of(cut.next_page_at());
    match &shrunk.ended {
        Ended::Killed(death) => {
            let id = match death.signal.as_str() {
                "SIGBUS" => "sigbus",
                "SIGSEGV" => "sigsegv",
                other => return undecided(format!("{other} killed the process, which no load raises")),
            };
            let sentence = match death.page {
                Some(found) if found == page => {
                    format!("The load killed the process: {death}, the page it touched.")
                }
                _ => format!("The load of page {page} killed the process: {death}."),
            };
            (Outcome::Choice(id.to_owned()), sentence)
        }
        Ended::Value(0) => {
            let sentence = format!("The load of page {page} gave 0, and no signal came.");
            (Outcome::Choice("zeros".to_owned()), sentence)
        }
        Ended::Value(other) => {
            let value = words::byte(*other);
            undecided(format!("the load gave {value}: page {page} still had data after the cut"))
        }
    }
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let mut causes = Vec::new();
    if let Some(Place { cut, shrunk, .. }) = evidence.places.first()
        && let Ended::Killed(death) = &shrunk.ended
        && shrunk.cut_error.as_deref() == Some("none")
    {
        let page = cut.page_of(cut.next_page_at());
        if death.is_missing_page(page) {
            causes.push(Why::NoPageBehindIt { page, last_page: cut.last_page() });
        }
        if shrunk.system_call_error == "EFAULT" {
            causes.push(Why::SystemCallHasAnError);
        }
    }
    causes.extend(evidence.places.iter().find_map(past_the_end));
    causes
}

/// A load that gave zero, where the page table reached further than the file does.
fn past_the_end(place: &Place) -> Option<Why> {
    let Place { name, cut, shrunk, never_longer } = place;
    let gave_zero = |touch: &Touch| touch.ended == Ended::Value(0);
    let touch = [never_longer, shrunk].into_iter().find(|touch| gave_zero(touch))?;
    let mapped_bytes = touch.mapped_bytes?;
    // The file's own pages and the one that was touched could be mapped one by one.
    if mapped_bytes <= cut.kept_pages().saturating_add(1).saturating_mul(cut.page_bytes) {
        return None;
    }
    let after_cut = match &shrunk.ended {
        Ended::Killed(death) => Some(death.signal.clone()),
        Ended::Value(_) => None,
    };
    Some(Why::FolioPastTheEnd {
        place: name.clone(),
        page: cut.page_of(cut.next_page_at()),
        file_pages: cut.kept_pages(),
        mapped_bytes,
        huge: touch.huge_bytes == Some(mapped_bytes),
        never_longer: gave_zero(never_longer),
        after_cut,
    })
}
