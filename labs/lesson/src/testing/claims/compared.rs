//! Claims about which of two arms takes longer, and how much.

use super::arm::{self, Rule, Spread};
use super::{MIN_KEPT, said, text};
use instruments::size::format_ns;
use serde_json::Value;

/// Two arms of an act, and what may be said of them.
struct Pair {
    lab: &'static str,
    act: &'static str,
    /// The part of the sentence that is about these two.
    part: fn(&str) -> &str,
    /// What the ratio is of, and what to.
    arms: [Arm; 2],
    claim: Claim,
}

struct Arm {
    trials: fn(&Value) -> Vec<&Value>,
    counts: Rule,
    figure: fn(&Value) -> Option<f64>,
}

/// What the outcome says of the two.
enum Claim {
    /// Their ratio.
    Ratio,
    /// The option whose figure is nearest to it, and the one that stands for a tie.
    Nearest { options: &'static [(&'static str, f64)], tie: &'static str },
    /// The first of these three where the ratio is below the range, the last where it is above.
    Around { options: [&'static str; 3], same: std::ops::RangeInclusive<f64> },
    /// Nothing: only the sentence is about these two.
    Nothing,
}

fn all<'a>(evidence: &'a Value, pointer: &str) -> Vec<&'a Value> {
    evidence.pointer(pointer).and_then(Value::as_array).into_iter().flatten().collect()
}

fn only<'a>(
    evidence: &'a Value,
    list: &str,
    field: &str,
    wanted: impl Into<Value>,
    trials: &str,
) -> Vec<&'a Value> {
    let wanted = wanted.into();
    let found = all(evidence, list).into_iter().find(|entry| entry[field] == wanted);
    found.map(|entry| all(entry, trials)).unwrap_or_default()
}

fn looks<'a>(evidence: &'a Value, advice: &str) -> Vec<&'a Value> {
    let mut looks = all(evidence, "/looks");
    looks.retain(|look| look["advice"] == advice && look["mapped"] == false);
    looks
}

fn elapsed(trial: &Value) -> Option<f64> {
    trial["elapsed_ns"].as_f64()
}

/// Of one time in the middle batch, or on average.
fn each(trial: &Value) -> Option<f64> {
    let (times, ns) = match trial["batch"].as_array().map(Vec::as_slice) {
        Some([times, ns]) => (times.as_f64()?, ns.as_f64()?),
        _ => (trial["times"].as_f64()?, elapsed(trial)?),
    };
    Some(ns / times.max(1.0))
}

fn speed(trial: &Value) -> Option<f64> {
    Some(trial["bytes"].as_f64()? * 1e9 / elapsed(trial)?.max(1.0))
}

const fn arm(trials: fn(&Value) -> Vec<&Value>, counts: Rule, figure: fn(&Value) -> Option<f64>) -> Arm {
    Arm { trials, counts, figure }
}

fn whole(sentence: &str) -> &str {
    sentence
}

static PAIRS: [Pair; 12] = [
    Pair {
        lab: "cold-vs-warm",
        act: "trap",
        part: whole,
        arms: [
            arm(|it| all(it, "/first"), arm::any, elapsed),
            arm(|it| all(it, "/second"), arm::any, elapsed),
        ],
        claim: Claim::Nearest {
            options: &[("1x", 1.0), ("5x", 5.0), ("25x", 25.0), ("100x", 100.0)],
            tie: "1x",
        },
    },
    Pair {
        lab: "cold-vs-warm",
        act: "factor",
        part: whole,
        arms: [
            arm(|it| all(it, "/cold"), arm::cold, elapsed),
            arm(|it| all(it, "/warm"), arm::warm, elapsed),
        ],
        claim: Claim::Ratio,
    },
    Pair {
        lab: "cold-vs-warm",
        act: "lying-benchmark",
        part: whole,
        arms: [
            arm(|it| all(it, "/direct"), arm::all_there, elapsed),
            arm(|it| all(it, "/buffered"), arm::warm, elapsed),
        ],
        claim: Claim::Around { options: ["faster", "same", "device"], same: 1.0 / 1.1..=1.1 },
    },
    Pair {
        lab: "syscalls-vs-faults",
        act: "blocks",
        // Two other pairs may be spoken of after these.
        part: |sentence| sentence.split_once(". ").map_or(sentence, |(first, _)| first),
        arms: [
            arm(|it| only(it, "/points", "block_bytes", 4 << 10, "/passes"), arm::warm_by_count, elapsed),
            arm(|it| only(it, "/points", "block_bytes", 128 << 10, "/passes"), arm::warm_by_count, elapsed),
        ],
        claim: Claim::Nearest { options: &[("same", 1.0), ("twice", 2.0), ("as-calls", 32.0)], tie: "same" },
    },
    Pair {
        lab: "syscalls-vs-faults",
        act: "copies",
        part: |sentence| sentence.split_once(" Cold (").map_or(sentence, |(warm, _)| warm),
        arms: [
            arm(|it| all(it, "/warm/mmap"), arm::warm_by_count, elapsed),
            arm(|it| all(it, "/warm/read"), arm::warm_by_count, elapsed),
        ],
        claim: Claim::Around { options: ["mmap", "tie", "read"], same: 1.0..=1.0 },
    },
    Pair {
        lab: "syscalls-vs-faults",
        act: "copies",
        part: |sentence| sentence.split_once(" Cold (").map_or("", |(_, cold)| cold),
        arms: [
            arm(|it| all(it, "/cold/mmap"), arm::cold_by_count, elapsed),
            arm(|it| all(it, "/cold/read"), arm::cold_by_count, elapsed),
        ],
        claim: Claim::Nothing,
    },
    Pair {
        lab: "small-file-mmap",
        act: "tiny",
        part: whole,
        arms: [
            arm(|it| all(it, "/map"), arm::warm_by_count, each),
            arm(|it| all(it, "/read"), arm::warm_by_count, each),
        ],
        claim: Claim::Nearest {
            options: &[("half", 0.5), ("equal", 1.0), ("a-few", 2.828), ("twenty", 20.0)],
            tie: "equal",
        },
    },
    Pair {
        lab: "small-file-mmap",
        act: "random",
        part: whole,
        arms: [
            arm(|it| all(it, "/pread"), arm::warm_by_count, each),
            arm(|it| all(it, "/touch"), arm::warm_by_count, each),
        ],
        claim: Claim::Ratio,
    },
    Pair {
        lab: "dirty-writeback",
        act: "msync",
        part: whole,
        arms: [
            arm(|it| all(it, "/rounds"), arm::all_to_write, |round| round["msync_ns"].as_f64()),
            arm(|it| all(it, "/rounds"), arm::all_to_write, |round| round["stored"]["store_ns"].as_f64()),
        ],
        claim: Claim::Ratio,
    },
    Pair {
        lab: "dirty-writeback",
        act: "durable",
        part: whole,
        arms: [
            arm(|it| only(it, "/arms", "way", "buffered", "/trials"), arm::any, speed),
            arm(|it| only(it, "/arms", "way", "dsync", "/trials"), arm::any, speed),
        ],
        claim: Claim::Ratio,
    },
    Pair {
        lab: "willneed-ignored",
        act: "non-blocking",
        part: whole,
        arms: [
            arm(|it| all(it, "/asked"), arm::brought_all, elapsed),
            arm(|it| all(it, "/read"), arm::cold, elapsed),
        ],
        claim: Claim::Nearest {
            options: &[("1%", 0.01), ("10%", 0.1), ("50%", 0.5), ("100%", 1.0)],
            tie: "100%",
        },
    },
    Pair {
        lab: "willneed-ignored",
        act: "no-waste",
        part: whole,
        arms: [
            arm(|it| all(it, "/plain"), arm::cold, elapsed),
            arm(|it| all(it, "/at_once"), arm::asked_cold, |run| run["read_elapsed_ns"].as_f64()),
        ],
        claim: Claim::Nearest {
            options: &[("0.5x", 0.5), ("1x", 1.0), ("2x", 2.0), ("10x", 10.0)],
            tie: "1x",
        },
    },
];

static HINTS: Pair = Pair {
    lab: "willneed-ignored",
    act: "hints",
    part: whole,
    arms: [
        arm(|it| looks(it, "random"), arm::began_cold, elapsed),
        arm(|it| looks(it, "normal"), arm::began_cold, elapsed),
    ],
    claim: Claim::Ratio,
};

fn pairs() -> impl Iterator<Item = &'static Pair> {
    PAIRS.iter().chain([&HINTS])
}

/// Whether an act compares two arms that are known here.
pub fn has(lab: &str, act: &str) -> bool {
    pairs().any(|pair| (pair.lab, pair.act) == (lab, act))
}

/// What an act says of its arms that their trials contradict.
pub fn contradictions(lab: &str, act: &Value) -> Vec<String> {
    pairs()
        .filter(|pair| pair.lab == lab && act["id"] == pair.act)
        .flat_map(|pair| pair.contradictions(act))
        .collect()
}

impl Pair {
    fn contradictions(&self, act: &Value) -> Vec<String> {
        let evidence = &act["evidence"];
        let spreads = self.arms.each_ref().map(|arm| {
            let counted = (arm.trials)(evidence).into_iter().filter(|trial| (arm.counts)(trial, evidence));
            Spread::of(counted.filter_map(|trial| (arm.figure)(trial)).collect())
        });
        let [over, under] = &spreads;
        let kept = [over.kept(), under.kept()];
        let sentence = (self.part)(text(&act["sentence"]));
        let (chosen, value) = (act["outcome"]["choice"].as_str(), act["outcome"]["value"].as_f64());
        let decided = (chosen.is_some() || value.is_some()) && !matches!(self.claim, Claim::Nothing);
        let (ratio, apart) = (over.median() / under.median(), over.is_apart_from(under));
        let mut wrong = Vec::new();

        let (tie, difference) = (said::is_a_tie(sentence), said::is_a_difference(sentence));
        if (decided || tie || difference) && kept.iter().any(|kept| *kept < MIN_KEPT) {
            wrong.push(format!("compares arms of which {} and {} trials count", kept[0], kept[1]));
        }
        if tie && apart {
            wrong.push("a tie of arms that lie apart".to_owned());
        }
        if difference && !apart {
            wrong.push("one faster than the other, which it overlaps".to_owned());
        }
        if let Some(value) = value.filter(|value| decided && !same_figure(ratio, *value)) {
            wrong.push(format!("{value} is not {ratio}, the ratio of the medians"));
        }
        if let Some(wanted) = self.claim.option(ratio, apart)
            && let Some(chosen) = chosen.filter(|chosen| *chosen != wanted)
        {
            wrong.push(format!("{chosen}, where a ratio of {ratio} (apart: {apart}) says {wanted}"));
        }
        for figure in said::figures(sentence, 'x', &self.claim.names()) {
            if kept.iter().all(|kept| *kept > 0)
                && !same_figure(ratio, figure)
                && !same_figure(1.0 / ratio, figure)
            {
                wrong.push(format!("{figure}x, where the medians give {ratio}"));
            }
        }
        for spread in spreads.iter().filter(|spread| spread.kept() == 1) {
            if sentence.contains(&format!("{} ±", format_ns(spread.median()))) {
                wrong.push("a spread of one trial".to_owned());
            }
        }
        wrong
    }
}

/// Within the rounding of three significant digits.
fn same_figure(exact: f64, printed: f64) -> bool {
    (printed / exact - 1.0).abs() <= 0.0051
}

impl Claim {
    /// The option that the arms speak for; None where this is no claim by an option.
    fn option(&self, ratio: f64, apart: bool) -> Option<&'static str> {
        match self {
            Claim::Nearest { tie, .. } if !apart => Some(tie),
            Claim::Nearest { options, .. } => {
                let distance = |figure: f64| (ratio / figure).ln().abs();
                let nearest =
                    options.iter().min_by(|(_, one), (_, other)| distance(*one).total_cmp(&distance(*other)));
                nearest.map(|(id, _)| *id)
            }
            Claim::Around { options, same } if !apart || same.contains(&ratio) => Some(options[1]),
            Claim::Around { options, .. } => Some(if ratio < 1.0 { options[0] } else { options[2] }),
            Claim::Ratio | Claim::Nothing => None,
        }
    }

    fn names(&self) -> Vec<&'static str> {
        match self {
            Claim::Nearest { options, .. } => options.iter().map(|(id, _)| *id).collect(),
            _ => Vec::new(),
        }
    }
}
