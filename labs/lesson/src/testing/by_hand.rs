//! A lab's workloads as the learner runs them by hand, but inside of the test: its file, its command, its line.

use crate::Lab;
use instruments::residency;
use instruments::scratch::Scratch;
use std::collections::BTreeMap;
use std::fs::File;

/// The fields of a workload's line.
pub type Fields = BTreeMap<String, String>;

/// A file of `bytes` bytes whose residency can be known, already on the disk, by its name; it goes with its scratch
/// directory. None, with the reason printed, where there is no place for it.
pub fn disk_file(bytes: u64) -> Option<(Scratch, String)> {
    let made = Scratch::create(None).and_then(|scratch| {
        let path = scratch.write("file", bytes, &mut |_| ())?;
        Ok((scratch, path))
    });
    let (scratch, path) = made.inspect_err(|why| eprintln!("skipped: {why}")).ok()?;
    let file = File::open(&path).expect("our own file");
    file.sync_data().expect("it reaches the disk");
    if let Some(why) = residency::of_file(&file).expect("a regular file").why_unknown() {
        eprintln!("skipped: {why}");
        return None;
    }
    Some((scratch, path.to_str().expect("a plain name").to_owned()))
}

/// What `tutor run NAME ARGS…` prints, as fields; Err is its one line, or what the command line's parser says.
pub fn run(lab: &Lab, name: &str, args: &[&str]) -> Result<Fields, String> {
    let workload = lab.workloads.iter().find(|workload| workload.name == name).expect("the lab has it");
    let matches = workload
        .command()
        .try_get_matches_from([&[name], args].concat())
        .map_err(|error| error.to_string())?;
    let text = workload.run(&matches).map_err(|why| why.to_string())?.to_string();
    let fields = text.strip_prefix(&format!("[{name}] ")).expect("the line begins with its name");
    let pairs = fields.split(' ').map(|field| field.split_once('=').expect("key=value"));
    Ok(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
}

/// A field that is a whole number.
#[track_caller]
pub fn number(fields: &Fields, key: &str) -> u64 {
    let value = fields.get(key).unwrap_or_else(|| panic!("no {key} in {fields:?}"));
    value.parse().unwrap_or_else(|_| panic!("{key}={value} is no number"))
}
