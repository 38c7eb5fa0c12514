//! `tutor doctor`: what this machine can and cannot show, and what to do about it.
//!
//! [`look`] looks at the machine; [`facts`] says what that means, and is pure.

mod facts;
mod look;

use crate::course;
use crate::document::SCHEMA;
use crate::ending::Result;
use crate::look::Look;
use crate::out::Out;
use crate::render::{self, Canvas};
use clap::Args;
use facts::Fact;
use instruments::Host;
use lesson::figure::Table;
use look::Found;
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
    let look = Look::here();
    let found = Found::on_this_machine(args.dir.as_deref(), look)?;
    let facts = facts::of(&found, &labs);
    if args.json {
        return out.json(&Document { schema: SCHEMA, host: &found.host, facts: &facts });
    }
    out.lines(lines(&facts, &look.canvas()))
}

/// The table, and below it what to do: only where something is to be done.
fn lines(facts: &[Fact], canvas: &Canvas) -> Vec<String> {
    let row = |fact: &Fact| vec![fact.name.clone(), fact.value.clone(), fact.labs_text()];
    let head = ["fact", "this machine", "labs"].map(str::to_owned).into();
    let table = Table { title: String::new(), head, rows: facts.iter().map(row).collect() };
    let mut lines = render::table(&table, canvas);
    let rows: Vec<_> =
        facts.iter().filter_map(|fact| Some(vec![fact.name.clone(), fact.remedy.clone()?])).collect();
    lines.push(String::new());
    if rows.is_empty() {
        lines.push(" Nothing has to be done.".to_owned());
    } else {
        let head = ["fact", "what to do"].map(str::to_owned).into();
        lines.extend(render::table(&Table { title: String::new(), head, rows }, canvas));
    }
    lines
}
