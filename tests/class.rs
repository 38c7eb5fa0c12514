//! A class without a network: `tutor export` on each machine, `tutor tally` on the instructor's.

mod support;

use serde_json::{Value, json};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::Fixture;

/// A learner who has gone through lab 2, as a file.
fn exported(fixture: &Fixture) -> Value {
    fixture.tutor("lab 2 --replay --json --predict b,25x,skip").run().exits(0);
    fixture.tutor("export -").run().exits(0).json()
}

/// The same as if another learner had measured it, on one of two kinds of machine.
fn another(export: &Value, number: usize) -> Value {
    let mut export = export.clone();
    export["learner"] = json!(format!("{number:016x}"));
    export["machine"]["filesystem"] = json!(if number.is_multiple_of(3) { "btrfs" } else { "ext4" });
    let acts = export["labs"]["cold-vs-warm"].as_object_mut().expect("acts");
    for answer in acts.values_mut().flat_map(|answers| answers.as_array_mut().expect("answers")) {
        answer.as_object_mut().expect("an answer").remove("recorded");
    }
    export
}

fn write(path: &Path, export: &Value) {
    fs::write(path, export.to_string()).expect("the fixture can be written to");
}

#[test]
fn an_export_names_nobody() {
    let fixture = Fixture::anywhere();
    let export = exported(&fixture);
    assert_eq!((&export["schema"], &export["kind"]), (&json!(1), &json!("page-cache-tutor export")));
    let trap = &export["labs"]["cold-vs-warm"]["trap"][0];
    assert_eq!(trap["prediction"], json!({"choice": "5x"}));
    assert!(trap["outcome"]["choice"].is_string() && trap["recorded"] == true, "{trap}");
    assert!(export["machine"]["page_bytes"].is_u64() && export["machine"]["disk"].is_string(), "{export}");

    let text = export.to_string();
    assert!(text.len() < 4096, "{} bytes for one lab", text.len());
    let host = nix::unistd::gethostname().expect("every machine has a name");
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).expect("users can be asked for");
    let names = [Some(host.to_string_lossy().into_owned()), user.map(|user| user.name)];
    let names = names.into_iter().flatten().filter(|name| name.len() > 2);
    for private in names.chain(serials()).chain([fixture.path().display().to_string(), "/".to_owned()]) {
        assert!(!text.contains(&private), "`{private}` is in it: {text}");
    }
    fixture.nothing_left();
}

/// Serial numbers and names of disks that this user can read.
fn serials() -> Vec<String> {
    let disks = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let files = disks.flat_map(|disk| {
        ["serial", "device/serial", "device/wwid", "wwid"].map(|file| disk.path().join(file))
    });
    let texts =
        files.chain(["/etc/machine-id".into()]).filter_map(|file: PathBuf| fs::read_to_string(file).ok());
    texts.map(|text| text.trim().to_owned()).filter(|text| text.len() > 3).collect()
}

#[test]
fn a_file_that_is_there_stays_unless_forced() {
    let fixture = Fixture::anywhere();
    let nothing = fixture.tutor("export me.json").run();
    assert!(nothing.refuses(1).contains("nothing to export yet"), "{nothing:?}");
    assert!(!fixture.file("me.json").exists());
    let first = exported(&fixture);
    fixture.tutor("export me.json").run().exits(0).is_plain_text();
    let kept = fs::read_to_string(fixture.file("me.json")).expect("it was written");
    assert_eq!(
        serde_json::from_str::<Value>(&kept).expect("JSON")["learner"],
        first["learner"],
        "one learner"
    );
    fs::write(fixture.file("me.json"), "mine").unwrap();
    let refused = fixture.tutor("export me.json").run();
    assert!(refused.refuses(1).contains("--force"), "{refused:?}");
    assert_eq!(fs::read_to_string(fixture.file("me.json")).unwrap(), "mine");
    fixture.tutor("export me.json --force").run().exits(0);
    assert_eq!(fs::read_to_string(fixture.file("me.json")).unwrap(), kept);
    for place in ["nowhere/me.json", "scratch", "/dev/full"] {
        fixture.tutor(&format!("export {place} --force")).run().refuses(1);
    }
    assert!(fixture.tutor("export").run().refuses(2).contains("FILE"));
    fixture.nothing_left();
}

#[test]
fn twenty_damaged_files_of_two_hundred_are_named_and_the_others_counted() {
    let fixture = Fixture::anywhere();
    let export = exported(&fixture);
    let fixture = fixture.without_privileges();
    let class = fixture.file("class");
    fs::create_dir(&class).unwrap();
    fs::set_permissions(&class, Permissions::from_mode(0o755)).unwrap();
    for number in 1..=180 {
        write(&class.join(format!("{number:03}.json")), &another(&export, number));
    }
    let damaged = damage(&class, &export);
    assert_eq!(damaged.len(), 20);
    assert_eq!(fs::read_dir(&class).unwrap().count(), 200);

    let begin = Instant::now();
    let ran = fixture.tutor("tally class --json").run();
    let most = if cfg!(debug_assertions) { 20 } else { 2 };
    assert!(begin.elapsed() < Duration::from_secs(most), "{:?}", begin.elapsed());
    let complaints = ran.exits(1).is_plain_text().complaints();
    assert_eq!(complaints.len(), 20, "{complaints:#?}");
    for (name, why) in &damaged {
        let told = complaints.iter().find(|line| line.contains(&format!("class/{name}:")));
        assert!(
            told.is_some_and(|line| line.contains(why) && line.len() < 400),
            "{name}, {why}: {complaints:#?}"
        );
    }
    let document = ran.json();
    assert_eq!(
        (&document["learners"], document["skipped_files"].as_array().unwrap().len()),
        (&json!(180), 20)
    );
    let trap = &document["questions"][0];
    assert_eq!(
        (&trap["act"], &trap["predicted"], &trap["measured"]),
        (&json!("trap"), &json!(180), &json!(180))
    );
    let by_filesystem = &trap["by_kind"][2];
    assert_eq!(
        (&by_filesystem["by"], &by_filesystem["groups"][1]["machines"]),
        (&json!("filesystem"), &json!(60))
    );

    let shown = fixture.tutor("tally class").run();
    assert!(shown.exits(1).is_plain_text().out.contains("180 learners"), "{shown:?}");
    fixture.nothing_left();
}

/// Twenty files that cannot be used: their names, and what has to be said of each.
fn damage(class: &Path, export: &Value) -> Vec<(&'static str, &'static str)> {
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut export = another(export, 1000 + name.len() * 100 + usize::from(name.as_bytes()[0]));
        change(&mut export);
        write(&class.join(name), &export);
    };
    let text = another(export, 2000).to_string();
    let put = |name: &str, bytes: &[u8]| fs::write(class.join(name), bytes).unwrap();
    put("truncated", &text.as_bytes()[..text.len() / 2]);
    put("empty", b"");
    put("notes", b"My notes: 10x, \x1b[31mred\n");
    put("binary", b"\x7fELF\x02\x01\x01\0\0\xff\xfe");
    put("nested", "[".repeat(100_000).as_bytes());
    put("nan", text.replacen("25.0", "NaN", 1).as_bytes());
    put("infinite", text.replacen("25.0", "1e999", 1).as_bytes());
    put("progress", br#"{"schema": 1, "labs": {}}"#);
    changed("newer", &|export| export["schema"] = json!(2));
    changed("types", &|export| export["labs"] = json!(7));
    changed("negative", &|export| {
        export["labs"]["cold-vs-warm"]["factor"][0]["prediction"] = json!({"quantity": -25})
    });
    changed("name", &|export| export["learner"] = json!("\u{1b}]0;Ann\u{7}"));
    changed("unknown", &|export| export["labs"] = json!({"quantum-cache": {"spin": []}}));
    changed("nothing", &|export| export["labs"] = json!({}));
    changed("word", &|export| {
        export["labs"]["cold-vs-warm"]["factor"][0]["prediction"] = json!({"quantity": "x"})
    });
    put("twice", another(export, 17).to_string().as_bytes());
    fs::create_dir(class.join("directory")).unwrap();
    nix::unistd::mkfifo(&class.join("pipe"), nix::sys::stat::Mode::from_bits_truncate(0o666)).unwrap();
    File::create(class.join("huge")).and_then(|file| file.set_len(1 << 40)).unwrap();
    put("secret", text.as_bytes());
    fs::set_permissions(class.join("secret"), Permissions::from_mode(0o000)).unwrap();
    vec![
        ("truncated", "ends too early"),
        ("empty", "it is empty"),
        ("notes", "not JSON"),
        ("binary", "not text"),
        ("nested", "not JSON"),
        ("nan", "not JSON"),
        ("infinite", "out of range"),
        ("progress", "no export"),
        ("newer", "a newer tutor"),
        ("types", "`labs` cannot be understood"),
        ("word", "`prediction` in answer 1 of act `factor` of lab `cold-vs-warm` cannot be understood"),
        ("negative", "below zero"),
        ("name", "damaged"),
        ("unknown", "lab `quantum-cache`"),
        ("nothing", "no answer"),
        ("twice", "the same learner"),
        ("directory", "a directory"),
        ("pipe", "a pipe"),
        ("huge", "larger than 1 MiB"),
        ("secret", "may not read"),
    ]
}

#[test]
fn what_a_newer_version_knows_is_named_and_the_rest_counts() {
    let fixture = Fixture::anywhere();
    let mut export = another(&exported(&fixture), 1);
    export["labs"]["quantum-cache"] = json!({"spin": []});
    export["labs"]["cold-vs-warm"]["sideways"] = json!([]);
    export["also"] = json!("something new");
    write(&fixture.file("new.json"), &export);
    let ran = fixture.tutor("tally new.json").run();
    let complaints = ran.exits(0).complaints();
    assert_eq!(complaints.len(), 1, "{ran:?}");
    for name in ["lab `quantum-cache`", "act `sideways` of lab 2"] {
        assert!(complaints[0].contains(name), "{ran:?}");
    }
    assert!(ran.out.contains("1 learner,"), "{ran:?}");
}

#[test]
fn a_page_is_one_file_and_is_not_written_over_another() {
    let fixture = Fixture::anywhere();
    let export = exported(&fixture);
    for number in 0..5 {
        write(&fixture.file(&format!("{number}.json")), &another(&export, number));
    }
    let tally =
        |words: &str| fixture.tutor(&format!("tally 0.json 1.json 2.json 3.json 4.json {words}")).run();
    tally("--html class.html").exits(0).is_plain_text();
    let page = fs::read_to_string(fixture.file("class.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(["http", "src=", "<script", "<link"].iter().all(|outside| !page.contains(outside)));
    assert!(tally("--html class.html").refuses(1).contains("--force"));
    tally("--html class.html --force").exits(0);
    assert_eq!(tally("--html -").exits(0).out, page);
    tally("--html class.html --json").refuses(2);
    let twice = fixture.tutor("tally 0.json ./0.json").run();
    assert!(twice.exits(0).out.contains("1 learner,"), "one file is one learner: {twice:?}");
    fixture.tutor("tally").run().refuses(2);
    assert_eq!(fixture.tutor("tally nowhere.json").run().exits(1).complaints().len(), 2);
    fixture.nothing_left();
}

#[test]
fn json_of_another_form_is_no_export() {
    let fixture = Fixture::anywhere();
    fs::write(fixture.file("array.json"), "[1, 2, 3]").unwrap();
    let ran = fixture.tutor("tally array.json").run();
    let complaints = ran.exits(1).complaints();
    assert!(complaints[0].contains("array.json") && complaints[0].contains("no export"), "{ran:?}");
}

#[test]
fn an_answer_that_no_option_has_is_damage_and_the_rest_counts() {
    let fixture = Fixture::anywhere();
    let mut export = another(&exported(&fixture), 1);
    export["labs"]["cold-vs-warm"]["trap"][0]["prediction"] = json!({"choice": "900x"});
    write(&fixture.file("odd.json"), &export);
    let ran = fixture.tutor("tally odd.json --json").run();
    let complaints = ran.exits(1).complaints();
    assert_eq!(complaints.len(), 1, "{ran:?}");
    assert!(
        complaints[0].contains("odd.json: it is damaged: unknown answer `900x` in act trap of lab 2"),
        "{ran:?}"
    );
    let document = ran.json();
    assert_eq!(document["learners"], 1);
    let acts: Vec<_> = document["questions"].as_array().unwrap().iter().map(|it| it["act"].clone()).collect();
    assert!(!acts.contains(&json!("trap")) && acts.contains(&json!("factor")), "{acts:?}");
}

#[test]
fn what_was_exported_is_counted_truly_and_a_recording_once() {
    let fixture = Fixture::anywhere();
    for _ in 0..3 {
        fixture.tutor("lab 2 --replay --json --no-predict").run().exits(0);
    }
    let wrote = fixture.tutor("export skipped.json").run();
    assert!(
        wrote.exits(0).out.contains("Wrote 0 predictions, 0 measured here, 4 from a recording"),
        "{wrote:?}"
    );
    let export: Value =
        serde_json::from_str(&fs::read_to_string(fixture.file("skipped.json")).unwrap()).unwrap();
    let acts = export["labs"]["cold-vs-warm"].as_object().expect("acts");
    assert!(acts.values().all(|rounds| rounds.as_array().expect("rounds").len() == 1), "{export}");
    let told = fixture.tutor("tally skipped.json").run();
    let text = told.exits(0).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Nobody predicted anything") && !text.contains("No surprise"), "{text}");
    assert!(!text.contains("said so"), "no histogram of zeros: {text}");
    // A file of an older version holds every round, without its knobs.
    let mut older = another(&export, 7);
    let trap = older["labs"]["cold-vs-warm"]["trap"].as_array_mut().expect("rounds");
    trap[0].as_object_mut().expect("a round").remove("plan");
    let round = trap[0].clone();
    trap.extend([round.clone(), round]);
    write(&fixture.file("older.json"), &older);
    let document = fixture.tutor("tally older.json --json").run().exits(0).json();
    assert_eq!(document["questions"][0]["measured"], 1, "{document}");
}

#[test]
fn twelve_who_were_all_wrong_are_the_first_thing_to_discuss() {
    let fixture = Fixture::anywhere();
    let export = exported(&fixture);
    fs::create_dir(fixture.file("class")).unwrap();
    for number in 0..12 {
        let mut export = another(&export, number);
        let trap = &mut export["labs"]["cold-vs-warm"]["trap"][0];
        let said = ["5x", "25x", "100x"][number % 3];
        trap["prediction"] = json!({"choice": said});
        trap["outcome"] = json!({"choice": "1x"});
        write(&fixture.file(&format!("class/{number}.json")), &export);
    }
    let document = fixture.tutor("tally class --json").run().exits(0).json();
    let first = document["worth_discussing"][0].as_str().expect("a surprise");
    assert!(first.starts_with("lab 2 trap: 0 of 12 predicted what their machine showed"), "{document:#}");
    for words in ["tally class", "tally class --html -"] {
        let ran = fixture.tutor(words).run();
        let text = ran.exits(0).out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Worth discussing") && text.contains("0 of 12 predicted"), "{text}");
        assert!(!text.contains("No surprise"), "{text}");
    }
}

#[test]
fn a_link_that_leads_nowhere_is_there_already() {
    let fixture = Fixture::anywhere();
    exported(&fixture);
    let link = fixture.file("me.json");
    std::os::unix::fs::symlink("nowhere.json", &link).expect("a link can be made");
    assert!(fixture.tutor("export me.json").run().refuses(1).contains("--force"));
    assert!(fs::symlink_metadata(&link).expect("it is still there").is_symlink());
}
