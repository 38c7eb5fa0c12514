//! What may be named, what is refused, and that the wanted state is there afterwards.

use super::*;
use clap::{Command, FromArgMatches};
use instruments::{Reading, evict, residency};
use std::fs::File;
use std::path::Path;

fn target(args: &[&str]) -> Result<Target, String> {
    let command = Target::augment_args(Command::new("cread").no_binary_name(true));
    let matches = command.try_get_matches_from(args).map_err(|error| error.to_string())?;
    Target::from_arg_matches(&matches).map_err(|error| error.to_string())
}

fn ready(args: &[&str]) -> Result<Ready, String> {
    target(args)?.ready().map_err(|unavailable| unavailable.to_string())
}

fn resident_pages(path: &Path) -> u64 {
    let file = File::open(path).expect("it is there");
    match residency::of_file(&file).expect("it can be asked") {
        Reading::Known(found) => found.resident_pages,
        Reading::Unknown(why) => panic!("{why}"),
    }
}

/// A disk on which a file can be made cold; None, with the reason printed, where there is none.
fn disk() -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir_in("/var/tmp").expect("/var/tmp can be written");
    let probe = dir.path().join("probe");
    std::fs::write(&probe, [1; 100]).expect("it can be written");
    match evict::evict(&File::open(&probe).expect("it is there")) {
        Ok(_) => Some(dir),
        Err(why) => {
            eprintln!("skipped: no file in /var/tmp can be made cold: {why}");
            None
        }
    }
}

#[test]
fn a_file_or_a_size_but_not_both() {
    assert!(target(&[]).expect_err("nothing").contains("required"));
    assert!(target(&["data.bin", "--size", "4k"]).expect_err("both").contains("cannot be used with"));
    assert!(target(&["data.bin", "--dir", "/var/tmp"]).expect_err("no size").contains("cannot be used with"));
    assert!(
        target(&["data.bin", "--cold", "--warm"]).expect_err("both states").contains("cannot be used with")
    );
    assert_eq!(target(&["--size", "4k"]).map(|target| target.size), Ok(Some(4096)));
}

#[test]
fn impossible_sizes_are_refused_with_a_reason() {
    assert!(target(&["--size", "0"]).expect_err("nothing").contains("has no page to look at"));
    assert!(target(&["--size", "9E"]).expect_err("too large").contains("the largest is"));
    assert!(target(&["--size", "big"]).expect_err("junk").contains("write one like 512M"));
    let nothing = Target { file: None, size: Some(0), dir: None, cold: false, warm: false };
    assert!(nothing.ready().expect_err("nothing").to_string().contains("has no page to look at"));
}

#[test]
fn what_is_not_a_regular_file_is_refused_in_one_line() {
    for (name, why) in [("/", "a directory"), ("/dev/null", "a device"), ("/nowhere/at/all", "no such file")]
    {
        let refusal = ready(&[name, "--warm"]).expect_err(name);
        assert!(refusal.starts_with(&format!("cannot open {name}: ")) && refusal.contains(why), "{refusal}");
    }
}

#[test]
fn a_named_file_is_left_as_it_is() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("data");
    std::fs::write(&path, [7; 5000]).expect("it can be written");
    let ready = ready(&[path.to_str().expect("plain text")]).expect("it is a file");
    assert_eq!((&ready.path, ready.size_bytes), (&path, 5000));
    drop(ready);
    assert_eq!(std::fs::read(&path).expect("still there"), [7; 5000]);
}

#[test]
fn cold_and_warm_are_proven() {
    let Some(dir) = disk() else { return };
    let path = dir.path().join("data");
    let name = path.to_str().expect("plain text");
    std::fs::write(&path, vec![7; 1_000_001]).expect("it can be written");
    let pages = instruments::pages::pages_for(1_000_001);

    ready(&[name, "--cold"]).expect("it can be made cold");
    assert_eq!(resident_pages(&path), 0);
    ready(&[name, "--warm"]).expect("it can be made warm");
    assert_eq!(resident_pages(&path), pages);
}

#[test]
fn a_scratch_file_has_its_size_and_state_and_goes() {
    let Some(dir) = disk() else { return };
    let name = dir.path().to_str().expect("plain text");
    for state in [&[][..], &["--cold"], &["--warm"]] {
        let ready = ready(&[&["--size", "1000001", "--dir", name], state].concat()).expect("it can be made");
        assert_eq!(std::fs::metadata(&ready.path).expect("it is there").len(), 1_000_001);
        assert_eq!(ready.size_bytes, 1_000_001);
        let pages = instruments::pages::pages_for(1_000_001);
        let wanted = if state == ["--cold"] { 0 } else { pages };
        assert_eq!(resident_pages(&ready.path), wanted, "{state:?}");
        let path = ready.path.clone();
        drop(ready);
        assert!(!path.exists(), "it is left behind");
    }
    assert_eq!(std::fs::read_dir(dir.path()).expect("it is there").count(), 1, "only the probe is left");
}
