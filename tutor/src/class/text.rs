//! A counted class as text: what to discuss first, then question by question.

use super::count::{Counted, Row};
use super::discuss::{self, Discussion};
use super::machine_groups::MachineGroups;
use crate::render::{self, Canvas};
use lesson::Figure;
use lesson::figure::{Bar, Bars, Table};

/// All of it.
pub fn lines(learners: usize, questions: &[Counted], canvas: &Canvas) -> Vec<String> {
    let mut lines = render::paragraph(&head(learners, questions), canvas);
    let Discussion { worth_discussing, remarks } = discuss::of(questions);
    if !worth_discussing.is_empty() {
        lines.push(String::new());
        lines.extend(render::paragraph("Worth discussing", canvas));
        lines.extend(worth_discussing.iter().flat_map(|text| render::item("- ", text, canvas)));
    }
    for remark in remarks {
        lines.push(String::new());
        lines.extend(render::paragraph(&remark, canvas));
    }
    lines.extend(questions.iter().flat_map(|counted| question(counted, canvas)));
    lines
}

/// Who was counted.
pub fn head(learners: usize, questions: &[Counted]) -> String {
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{}, {}", plural(learners, "learner"), plural(questions.len(), "question"))
}

fn question(counted: &Counted, canvas: &Canvas) -> Vec<String> {
    let mut lines = vec![String::new(), String::new()];
    let title = format!("Lab {}, {}: {}", counted.lab, counted.act, counted.ask);
    lines.extend(render::paragraph(&title, canvas));
    lines.push(String::new());
    // A histogram of nothing but zeros says nothing.
    if counted.predicted + counted.measured > 0 {
        let bars = counted.answers.iter().map(|row| bar(row, counted)).collect();
        lines.extend(render::figure(&Figure::Bars(Bars { title: String::new(), bars }), canvas));
    }
    lines.extend(render::paragraph(&beside(counted), canvas));
    let told: Vec<&MachineGroups> = counted.by_kind.iter().filter(|kind| kind.groups.len() > 1).collect();
    for kind in told {
        let row = |group: &super::machine_groups::Group| {
            vec![group.name.clone(), group.machines.to_string(), group.outcomes.clone()]
        };
        let head = [kind.by, "machines", "outcome"].map(str::to_owned).into();
        let table = Table { title: String::new(), head, rows: kind.groups.iter().map(row).collect() };
        lines.push(String::new());
        lines.extend(render::table(&table, canvas));
    }
    lines
}

/// What was predicted, with the machines beside it; what machines showed, where nobody predicted anything.
fn bar(row: &Row, counted: &Counted) -> Bar {
    let machines =
        |count: usize| if count == 1 { "1 machine".to_owned() } else { format!("{count} machines") };
    let (value, text, note) = match (counted.predicted, counted.measured) {
        (0, _) => (row.measured, machines(row.measured), String::new()),
        (_, 0) => (row.predicted, format!("{} said so", row.predicted), String::new()),
        _ => (row.predicted, format!("{} said so", row.predicted), format!("machines: {}", row.measured)),
    };
    Bar { label: row.answer.clone(), value: value as f64, text, note }
}

/// `12 predictions, 2 skipped; 10 machines decided, 1 did not, 1 could not measure; 3 saw a recording only.`
pub fn beside(counted: &Counted) -> String {
    let parts = |parts: &[(usize, &str)]| {
        let named = parts.iter().filter(|(count, _)| *count > 0);
        named.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    };
    let sides = [
        match counted.predicted {
            0 => format!("nobody predicted, {} skipped", counted.skipped),
            _ => parts(&[(counted.predicted, "predicted"), (counted.skipped, "skipped")]),
        },
        parts(&[
            (counted.measured, "measured"),
            (counted.undecided, "measured and did not decide"),
            (counted.unavailable, "could not measure"),
            (counted.recorded, "saw a recording only"),
        ]),
    ];
    sides.into_iter().filter(|side| !side.is_empty()).collect::<Vec<_>>().join("; ") + "."
}
