//! Claims about how much there is: all, half, none, of pages and bytes that were counted.

use super::text;
use serde_json::Value;

/// The option that the counts of an act speak for; None where they speak for none that is known here.
type Says = fn(evidence: &Value) -> Option<&'static str>;

static COUNTS: [(&str, &str, Says); 8] = [
    ("cold-vs-warm", "proof", proof),
    ("fill-and-drain", "refill", refill),
    ("fill-and-drain", "stays", stays),
    ("syscalls-vs-faults", "reads", |_| None),
    ("dirty-writeback", "dirty", dirty),
    ("dirty-writeback", "round-trip", round_trip),
    ("willneed-ignored", "ask", ask),
    ("willneed-ignored", "cap", cap),
];

/// Whether the counts of an act are known here.
pub fn has(lab: &str, act: &str) -> bool {
    COUNTS.iter().any(|(of, id, _)| (*of, *id) == (lab, act))
}

/// What an act says of its counts that they contradict.
pub fn contradictions(lab: &str, act: &Value) -> Vec<String> {
    let evidence = &act["evidence"];
    let mut wrong = Vec::new();
    if let Some((_, _, says)) = COUNTS.iter().find(|(of, id, _)| *of == lab && act["id"] == *id)
        && let Some(chosen) = act["outcome"]["choice"].as_str()
        && let Some(counted) = says(evidence)
        && chosen != counted
    {
        wrong.push(format!("{chosen}, where the counts say {counted}"));
    }
    if (lab, text(&act["id"])) == ("syscalls-vs-faults", "reads")
        && let Some(value) = act["outcome"]["value"].as_f64()
        && evidence["workload_calls"].as_f64() != Some(value)
    {
        wrong.push(format!("{value} calls, where {} were counted", evidence["workload_calls"]));
    }
    wrong
}

fn count(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// Pages after each run that began with none, and all pages.
fn brought(evidence: &Value, list: &str) -> Vec<(f64, f64)> {
    let runs = evidence[list].as_array().into_iter().flatten();
    runs.filter(|run| run["before"]["known"]["resident_pages"] == 0)
        .filter_map(|run| {
            let after = &run["after"]["known"];
            count(&after["resident_pages"]).zip(count(&after["pages"]))
        })
        .collect()
}

fn proof(evidence: &Value) -> Option<&'static str> {
    let warm = &evidence["warm"];
    match count(&warm["device_read_bytes"])? / count(&warm["bytes"])? {
        0.75.. => Some("all"),
        0.25.. => Some("half"),
        _ => Some("none"),
    }
}

fn refill(evidence: &Value) -> Option<&'static str> {
    let mut found: Vec<f64> =
        evidence["ordinary"].as_array()?.iter().filter_map(|read| count(&read["resident_pages"])).collect();
    found.sort_by(f64::total_cmp);
    let middle = found.len() / 2;
    // Of an even number neither of the two in the middle decides.
    let found = found.get(middle).filter(|_| found.len() % 2 == 1)?;
    let all = count(&evidence["pages"])?;
    let asked = (count(&evidence["asked_bytes"])? / (count(&evidence["size_bytes"])? / all)).ceil();
    match *found {
        found if found >= 0.95 * all => Some("all"),
        found if found > asked => Some("half-plus"),
        found if found == asked => Some("half"),
        found if found < 0.05 * asked => Some("none"),
        _ => Some("no option: less than was read"),
    }
}

fn stays(evidence: &Value) -> Option<&'static str> {
    let gone = |file: &str| count(&evidence[file]["after_pages"]).map(|left| left == 0.0);
    match [gone("clean")?, gone("written")?, gone("mapped")?, gone("memory")?] {
        [true, true, true, true] => Some("all"),
        [true, true, true, false] => Some("disk"),
        [true, true, false, false] => Some("unmapped"),
        [true, false, false, false] => Some("clean"),
        _ => Some("no option"),
    }
}

fn dirty(evidence: &Value) -> Option<&'static str> {
    let stored = &evidence["stored"];
    let unwritten = &stored["unwritten"];
    let left = count(&unwritten["dirty_pages"])? + count(&unwritten["writeback_pages"])?;
    match left {
        0.0 => Some("all"),
        left if left >= count(&stored["pages"])? => Some("none"),
        _ => Some("part"),
    }
}

fn round_trip(evidence: &Value) -> Option<&'static str> {
    let cold = evidence["resident_before_pages"] == 0 && evidence["compared_bytes"] == evidence["bytes"];
    let (wrong, bytes) = (count(&evidence["mismatches"])?, count(&evidence["bytes"])?);
    match wrong {
        _ if !cold => Some("no option: it did not come from the disk"),
        0.0 => Some("same"),
        wrong if wrong >= 0.9 * bytes => Some("old"),
        _ => Some("some"),
    }
}

fn ask(evidence: &Value) -> Option<&'static str> {
    let shares: Vec<f64> = brought(evidence, "runs").iter().map(|(found, all)| found / all).collect();
    let option = |share: f64| match share {
        0.0 => "nothing",
        share => {
            let distance = |figure: f64| (share / figure).ln().abs();
            let options = [("all", 1.0), ("half", 0.5), ("small", 0.05)];
            let nearest =
                options.into_iter().min_by(|one, other| distance(one.1).total_cmp(&distance(other.1)));
            nearest.map_or("nothing", |(id, _)| id)
        }
    };
    let first = option(*shares.first()?);
    Some(if shares.iter().all(|share| option(*share) == first) {
        first
    } else {
        "no option: the rounds differ"
    })
}

fn cap(evidence: &Value) -> Option<&'static str> {
    let middle = |list: &str| {
        let mut found = brought(evidence, list);
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
        found.get(found.len() / 2).copied()
    };
    let ((one, _), (pieces, all)) = (middle("one")?, middle("pieces")?);
    Some(match pieces {
        pieces if pieces >= all => "all",
        pieces if pieces <= one => "same",
        _ => "part",
    })
}
