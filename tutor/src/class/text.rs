//! A counted class as text: what to discuss first, then question by question.

use super::count::Counted;
use super::kinds::Kind;
use crate::render::{self, Canvas};
use lesson::Figure;
use lesson::figure::{Bar, Bars, Table};

/// All of it.
pub fn lines(learners: usize, questions: &[Counted], canvas: &Canvas) -> Vec<String> {
    let mut lines = render::paragraph(&head(learners, questions), canvas);
    let discuss: Vec<String> = to_discuss(questions);
    lines.push(String::new());
    if discuss.is_empty() {
        lines.extend(render::paragraph(
            "No surprise: what most predicted is what the machines showed.",
            canvas,
        ));
    } else {
        lines.extend(render::paragraph("Worth discussing", canvas));
        lines.extend(discuss.iter().flat_map(|text| render::item("- ", text, canvas)));
    }
    lines.extend(questions.iter().flat_map(|counted| question(counted, canvas)));
    lines
}

/// Who was counted.
pub fn head(learners: usize, questions: &[Counted]) -> String {
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{}, {}", plural(learners, "learner"), plural(questions.len(), "question"))
}

/// All surprises, each with its question.
pub fn to_discuss(questions: &[Counted]) -> Vec<String> {
    let of = |counted: &Counted| {
        let name = format!("lab {} {}", counted.lab, counted.act);
        counted.surprises.iter().map(move |text| format!("{name}: {text}")).collect::<Vec<_>>()
    };
    questions.iter().flat_map(of).collect()
}

fn question(counted: &Counted, canvas: &Canvas) -> Vec<String> {
    let mut lines = vec![String::new(), String::new()];
    let title = format!("Lab {}, {}: {}", counted.lab, counted.act, counted.ask);
    lines.extend(render::paragraph(&title, canvas));
    lines.push(String::new());
    let bar = |row: &super::count::Row| Bar {
        label: row.answer.clone(),
        value: row.predicted as f64,
        text: format!("{} said so", row.predicted),
        note: format!("machines: {}", row.measured),
    };
    let bars = Bars { title: String::new(), bars: counted.answers.iter().map(bar).collect() };
    lines.extend(render::figure(&Figure::Bars(bars), canvas));
    lines.extend(render::paragraph(&beside(counted), canvas));
    let told: Vec<&Kind> = counted.by_kind.iter().filter(|kind| kind.groups.len() > 1).collect();
    for kind in told {
        let row = |group: &super::kinds::Group| {
            vec![group.name.clone(), group.machines.to_string(), group.outcomes.clone()]
        };
        let head = [kind.by, "machines", "outcome"].map(str::to_owned).into();
        let table = Table { title: String::new(), head, rows: kind.groups.iter().map(row).collect() };
        lines.push(String::new());
        lines.extend(render::table(&table, canvas));
    }
    lines
}

/// `12 predictions, 2 skipped; 10 machines decided, 1 did not, 1 could not measure; 3 saw a recording only.`
pub fn beside(counted: &Counted) -> String {
    let parts = |parts: &[(usize, &str)]| {
        let named = parts.iter().filter(|(count, _)| *count > 0);
        named.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    };
    let sides = [
        parts(&[(counted.predicted, "predicted"), (counted.skipped, "skipped")]),
        parts(&[
            (counted.measured, "measured"),
            (counted.undecided, "measured and did not decide"),
            (counted.unavailable, "could not measure"),
            (counted.recorded, "saw a recording only"),
        ]),
    ];
    sides.into_iter().filter(|side| !side.is_empty()).collect::<Vec<_>>().join("; ") + "."
}
