//! Act 6: the switch that the internet recommends. It is opened for writing, and nothing is ever written to it.

use crate::cause::Why;
use crate::notes;
use crate::words::{choice, option, undecided};
use crate::workloads::dropswitch::SWITCH;
use instruments::{Bench, Unavailable};
use lesson::figure::Table;
use lesson::{Act, Ask, Caveat, Choice, Figure, Notes, Outcome, Question, Reveal, Setting};
use serde::{Deserialize, Serialize};

/// The act.
#[derive(Debug)]
pub struct DropCaches;

/// Who could open the switch for writing. Nothing was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its permission bits, in octal.
    pub mode: String,
    /// Its owner.
    pub owner_uid: u64,
    /// Who tried.
    pub euid: u64,
    /// The error of open(2), `none` where there was none.
    pub open_error: String,
    /// The same for a user who owns nothing; None where we could not become one.
    pub nobody_error: Option<String>,
}

impl Act for DropCaches {
    type Evidence = Evidence;
    const ID: &'static str = "drop-caches";
    const TITLE: &'static str = "the big switch";
    const SECONDS: u32 = 1;
    const NOTES: Notes = notes::DROP_CACHES;

    fn question(&self, _setting: &Setting) -> Question {
        Question {
            setup: format!(
                "To start from a cold cache, much advice on the internet says: write 3 to {SWITCH}. That drops all clean \
                 cache of the whole machine. Here the file is opened for writing and closed again; nothing is written."
            ),
            commands: vec!["tutor run dropswitch".to_owned()],
            ask: "Who may use this switch on this machine?".to_owned(),
            answer: Ask::Choice(options()),
            hint: "Whose files are in the cache?".to_owned(),
        }
    }

    fn measure(&self, bench: &mut Bench<'_>) -> Result<Evidence, Unavailable> {
        bench.begin("open the switch, and close it", 1);
        let run = bench.run("dropswitch", &[])?;
        bench.done(1)?;
        bench.end();
        let nobody_error = run.text("nobody_error")?;
        Ok(Evidence {
            mode: run.text("mode")?.to_owned(),
            owner_uid: run.u64("owner_uid")?,
            euid: run.u64("euid")?,
            open_error: run.text("open_error")?.to_owned(),
            nobody_error: (nobody_error != "unknown").then(|| nobody_error.to_owned()),
        })
    }

    fn reveal(&self, evidence: &Evidence, _setting: &Setting) -> Reveal {
        let (outcome, sentence) = decide(evidence);
        let mut caveats = Vec::new();
        if evidence.euid != 0 && matches!(outcome, Outcome::Choice(_)) {
            caveats.push(Caveat::Other(format!(
                "Nobody tried it as root: that root may is what the file's mode says ({}, owner {}).",
                evidence.mode, evidence.owner_uid
            )));
        }
        Reveal {
            outcome,
            sentence,
            figures: vec![table(evidence)],
            causes: causes(evidence).into_iter().map(Into::into).collect(),
            caveats,
            try_next: vec![format!("ls -l {SWITCH}"), "tutor run evict --size 64M".to_owned()],
            sources: vec![
                "man 5 proc_sys_vm (drop_caches)".to_owned(),
                "Documentation/admin-guide/sysctl/vm.rst, drop_caches (Linux 6.18)".to_owned(),
            ],
        }
    }
}

/// Who an opening was tried as, and what came of it, as far as it is known.
fn tries(evidence: &Evidence) -> [(&'static str, Option<&str>); 2] {
    let (ours, nobody) = (Some(evidence.open_error.as_str()), evidence.nobody_error.as_deref());
    match evidence.euid {
        0 => [("root", ours), ("somebody else", nobody)],
        _ => [("root", None), ("somebody else", ours)],
    }
}

fn mode(evidence: &Evidence) -> u32 {
    u32::from_str_radix(&evidence.mode, 8).unwrap_or(0)
}

/// Whether the file's mode lets its owner write, and that is root.
fn mode_lets_root(evidence: &Evidence) -> bool {
    evidence.owner_uid == 0 && mode(evidence) & 0o200 != 0
}

/// Whether it lets anybody else.
fn mode_lets_others(evidence: &Evidence) -> bool {
    mode(evidence) & 0o022 != 0
}

fn decide(evidence: &Evidence) -> (Outcome, String) {
    let [(_, root), (_, other)] = tries(evidence);
    match (root, other) {
        (_, Some("none")) => {
            choice("anyone", "Even a user who owns nothing could open it for writing here.".to_owned())
        }
        (Some(error), _) if error != "none" => {
            choice("nobody", format!("Not even root could open it for writing here: {error}."))
        }
        (Some(_), Some(error)) => choice(
            "root",
            format!("Root could open it for writing; a user who owns nothing was refused: {error}."),
        ),
        (None, Some(error @ ("EACCES" | "EPERM"))) if mode_lets_root(evidence) => choice(
            "root",
            format!(
                "We were refused: {error}. The file is root's, and its mode ({}) lets root write.",
                evidence.mode
            ),
        ),
        (None, Some(error @ "EROFS")) => {
            choice("nobody", format!("It is on a filesystem mounted read-only here: {error}, for everybody."))
        }
        (None, Some(error)) => {
            undecided(format!("it could not be opened ({error}), and nobody tried it as root"))
        }
        (Some(_), None) if mode_lets_root(evidence) && !mode_lets_others(evidence) => choice(
            "root",
            format!("Root could open it for writing, and its mode ({}) lets nobody else.", evidence.mode),
        ),
        (Some(_), None) => undecided("root could open it, and nobody tried it as somebody else"),
        (None, None) => undecided("nobody tried"),
    }
}

fn causes(evidence: &Evidence) -> Vec<Why> {
    let Outcome::Choice(id) = decide(evidence).0 else { return Vec::new() };
    let mut causes = match id.as_str() {
        "root" => vec![Why::EverybodysCache { mode: evidence.mode.clone() }],
        "nobody" => vec![Why::SwitchLocked],
        _ => Vec::new(),
    };
    causes.push(Why::InsteadOfTheSwitch);
    causes
}

fn table(evidence: &Evidence) -> Figure {
    let rows = tries(evidence).map(|(who, error)| {
        let what = match error {
            Some("none") => "opened".to_owned(),
            Some(error) => format!("refused: {error}"),
            None => "not tried".to_owned(),
        };
        vec![who.to_owned(), what]
    });
    Figure::Table(Table {
        title: format!("{SWITCH}, mode {}, owner {}", evidence.mode, evidence.owner_uid),
        head: ["opened for writing by", "what came of it"].map(str::to_owned).to_vec(),
        rows: rows.into(),
    })
}

fn options() -> Vec<Choice> {
    vec![
        option(
            "anyone",
            "Anyone: it only frees memory",
            "Whoever says anyone thinks of one's own files. The switch knows no owner: it drops what everybody has \
             cached, and everybody waits for the disk afterwards. That would be so if the file's mode let others write.",
        ),
        option(
            "owner",
            "Anyone, and it drops the cache of one's own files",
            "Whoever says so would like a switch for one user. There is none; but any user can evict single files with \
             posix_fadvise(DONTNEED), and that is enough to make a benchmark cold.",
        ),
        option(
            "root",
            "Root only",
            "Whoever says root holds that what slows down everybody is the administrator's business. That is so where \
             the file has the kernel's own mode, and root is not held in by a container.",
        ),
        option(
            "nobody",
            "Nobody here, not even root",
            "Whoever says nobody thinks of containers. Many of them mount /proc/sys read-only, since its switches are \
             those of the whole machine outside.",
        ),
    ]
}
