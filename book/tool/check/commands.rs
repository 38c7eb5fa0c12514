//! Lines for the tutor: understood by its real command line, with a lab and an act that are there.

use super::sources::Code;
use crate::Project;
use clap::error::ErrorKind;

/// `code`, where it is for the tutor; Err with the command and what is wrong with it.
pub fn check(code: &Code, project: &Project) -> Result<(), (String, String)> {
    let (line, is_typed) = match code {
        Code::Inline(line) => (line, false),
        Code::Typed(line) => (line, true),
    };
    let refused = |why: String| Err((line.clone(), why));
    for part in line.split(['|', ';']).flat_map(|part| part.split("&&")) {
        let words: Vec<&str> =
            part.split_whitespace().take_while(|word| !word.starts_with(['>', '#'])).collect();
        let words = after_cargo(words);
        match words.split_first() {
            Some((&"tutor", args)) => {
                if let Err(why) = understood(&words, is_typed).and_then(|()| exists(args, project)) {
                    return refused(why);
                }
            }
            Some((word, _)) if !is_typed && word.starts_with("--") && !is_flag(word) => {
                return refused("no command of the tutor has this flag".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

/// `cargo run --release -- list` is `tutor list`.
fn after_cargo(words: Vec<&str>) -> Vec<&str> {
    match words.strip_prefix(&["cargo", "run", "--release"]) {
        Some([]) => vec!["tutor"],
        Some(["--", rest @ ..]) => std::iter::once("tutor").chain(rest.iter().copied()).collect(),
        _ => words,
    }
}

fn understood(words: &[&str], is_typed: bool) -> Result<(), String> {
    let Err(error) = tutor::command().try_get_matches_from(words) else { return Ok(()) };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(()),
        // In a sentence a command may be named without all that it needs.
        ErrorKind::MissingRequiredArgument | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            if !is_typed =>
        {
            Ok(())
        }
        _ => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

/// Whether the lab and the act that are named exist.
fn exists(args: &[&str], project: &Project) -> Result<(), String> {
    let [command, rest @ ..] = args else { return Ok(()) };
    if !["lab", "reset", "read", "notes", "review"].contains(command) {
        return Ok(());
    }
    let Some(named) = rest.iter().find(|word| !word.starts_with('-')) else { return Ok(()) };
    if *command == "read" && named.parse::<u32>().is_err() {
        return Ok(());
    }
    if named.chars().all(|c| c.is_ascii_uppercase()) {
        return Ok(());
    }
    let number = named.parse::<u32>().ok();
    let lab = project.labs.iter().find(|lab| lab.slug == **named || Some(lab.number) == number);
    let lab = lab.ok_or_else(|| format!("there is no lab `{named}`"))?;
    let step = rest.iter().position(|word| *word == "--step").and_then(|at| rest.get(at + 1));
    match step {
        Some(step) if *step != "ACT" && !lab.acts.iter().any(|act| act == step) => {
            Err(format!("lab {} has no act `{step}`", lab.number))
        }
        _ => Ok(()),
    }
}

/// Whether any command has this flag, which a sentence names alone.
fn is_flag(word: &str) -> bool {
    let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    fn has(command: &clap::Command, name: &str) -> bool {
        command.get_arguments().any(|arg| arg.get_long() == Some(name))
            || command.get_subcommands().any(|command| has(command, name))
    }
    matches!(name, "" | "help" | "version") || has(&tutor::command(), name)
}
