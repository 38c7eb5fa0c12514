//! `tutor doctor`: what this machine can and cannot show, and what to do about it.
//!
//! [`findings`] looks at the machine; [`facts`] says what that means, and is pure.

mod check;
mod facts;
mod findings;
mod tool;

pub use check::in_one_line;

use crate::capabilities::Capabilities;
use crate::course;
use crate::document::SCHEMA;
use crate::exit::Result;
use crate::out::Out;
use crate::render::{self, Canvas};
use clap::Args;
use facts::Fact;
use findings::Findings;
use instruments::Host;
use lesson::figure::Table;
use serde::Serialize;
use std::path::PathBuf;

/// What this machine can and cannot show
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// The directory whose filesystem and disk are meant
    #[arg(long)]
    dir: Option<PathBuf>,
    /// One JSON document on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    host: &'a Host,
    facts: &'a [Fact],
}

/// `tutor doctor`
pub fn run(args: &DoctorArgs, out: &mut Out) -> Result {
    let labs = course::labs();
    let look = Capabilities::here();
    let found = Findings::on_this_machine(args.dir.as_deref(), look)?;
    let facts = facts::of(&found, &labs);
    if args.json {
        return out.json(&Document { schema: SCHEMA, host: &found.host, facts: &facts });
    }
    out.lines(lines(&facts, &look.canvas()))
}

/// Below this width a fact has a line for each of its parts.
const WIDE: usize = 70;

/// What is so, which labs it touches, what to do: in a row below, where a column of its own would be too narrow.
fn lines(facts: &[Fact], canvas: &Canvas) -> Vec<String> {
    let (head, rows): (&[&str], Vec<Vec<String>>) = if canvas.width < WIDE {
        let row = |fact: &Fact| {
            vec![
                fact.name.clone(),
                fact.value.clone(),
                fact.labs_text(),
                fact.remedy.clone().unwrap_or_default(),
            ]
        };
        (&["fact", "this machine", "labs", "what to do"], facts.iter().map(row).collect())
    } else {
        let row = |fact: &Fact| {
            let below = fact.remedy.as_ref();
            let below = below.map(|remedy| vec![String::new(), format!("to do: {remedy}"), String::new()]);
            [Some(vec![fact.name.clone(), fact.value.clone(), fact.labs_text()]), below].into_iter().flatten()
        };
        (&["fact", "this machine", "labs"], facts.iter().flat_map(row).collect())
    };
    let head = head.iter().map(|name| (*name).to_owned()).collect();
    let mut lines = render::table(&Table { title: String::new(), head, rows }, canvas);
    if facts.iter().all(|fact| fact.remedy.is_none()) {
        lines.push(String::new());
        lines.extend(render::paragraph("Nothing has to be done.", canvas));
    }
    lines
}
