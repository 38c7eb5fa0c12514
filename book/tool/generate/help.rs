//! What the command line says of itself, the list of labs, and the days that `tutor schedule` plans.

use super::markdown::{output, table};
use super::{Files, generated};
use lesson::Lab;

/// Help of the tutor and of the commands that a chapter explains; the labs as a table.
pub fn files(labs: &[Lab]) -> Files {
    let mut files = vec![
        (generated("tutor/help.md"), help(&[])),
        (generated("tutor/lab-help.md"), help(&["lab"])),
        (generated("tutor/list.md"), list(labs)),
    ];
    files.push((generated("tutor/half-day.md"), day(|number| HALF_DAY.contains(&number))));
    files.push((generated("tutor/full-day.md"), day(|_| true)));
    let workloads: Vec<Vec<String>> = labs
        .iter()
        .flat_map(|lab| lab.workloads.iter().map(|it| (lab.card.number, it)))
        .map(|(number, it)| vec![format!("tutor run {}", it.name), it.about.to_owned(), number.to_string()])
        .collect();
    let head = ["command", "what it does", "lab"].map(str::to_owned);
    files.push((generated("tutor/workloads.md"), table(&head, &workloads)));
    files
}

/// The labs for those who have half a day: as many as the chapter for instructors says to the command.
const HALF_DAY: [u32; 3] = [1, 2, 5];

/// What a class takes of one learner's minutes, as the chapter for instructors says to the command.
const PACE: u32 = 3;

/// What `tutor schedule` plans for these labs.
fn day(has: impl Fn(u32) -> bool) -> String {
    let labs: Vec<Lab> = tutor::labs().into_iter().filter(|lab| has(lab.card.number)).collect();
    let planned = tutor::planned(&labs, PACE);
    table(&planned.head, &planned.rows)
}

fn help(path: &[&str]) -> String {
    let mut command = tutor::command().term_width(80);
    command.build();
    let mut found = &mut command;
    for name in path {
        found = found.find_subcommand_mut(name).expect("a chapter asks only for commands that there are");
    }
    output(&found.render_help().to_string())
}

fn list(labs: &[Lab]) -> String {
    let row = |lab: &Lab| {
        vec![
            lab.card.number.to_string(),
            lab.card.slug.to_owned(),
            lab.card.title.to_owned(),
            lab.card.minutes.to_string(),
            lab.card.needs_in_words(),
        ]
    };
    let rows: Vec<Vec<String>> = labs.iter().map(row).collect();
    // The chapter's name is its link.
    let mut text = table(&["lab", "name", "question", "minutes", "needs"].map(str::to_owned), &rows);
    for lab in labs {
        let slug = lab.card.slug;
        text = text.replacen(&format!("| {slug} |"), &format!("| [{slug}]({slug}.md) |"), 1);
    }
    text
}
