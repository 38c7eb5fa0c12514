//! What a killed run leaves is collected; what is in use, somebody else's or a link is not.

use crate::{disk, skip};
use instruments::scratch::{Scratch, collect};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory as a killed run leaves it.
fn dead(parent: &Path, name: &str) -> PathBuf {
    let path = parent.join(name);
    fs::create_dir(&path).unwrap();
    File::create(path.join("lock")).unwrap();
    fs::write(path.join("data"), "x").unwrap();
    path
}

fn ours(removed: Vec<PathBuf>, parent: &Path) -> Vec<PathBuf> {
    let mut ours: Vec<_> = removed.into_iter().filter(|path| path.starts_with(parent)).collect();
    ours.sort();
    ours
}

#[test]
fn only_what_a_dead_run_of_ours_left_goes() {
    let Some(scratch) = disk() else { return };
    let parent = scratch.path();
    let precious = parent.join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "x").unwrap();

    let first = dead(parent, "page-cache-tutor-1-Ab3");
    fs::create_dir_all(first.join("deep/er")).unwrap();
    fs::write(first.join("deep/er/file"), "x").unwrap();
    symlink(&precious, first.join("link")).unwrap();
    symlink(&precious, first.join("deep/link")).unwrap();
    // Killed before it could lock.
    let second = parent.join("page-cache-tutor-2-x");
    fs::create_dir(&second).unwrap();

    let kept = [
        dead(parent, "page-cache-tutor-x-y"),
        dead(parent, "page-cache-tutor-1-"),
        dead(parent, "page-cache-tutor-1"),
        dead(parent, "my-page-cache-tutor-1-y"),
        Scratch::create(Some(parent)).map(|held| Box::leak(Box::new(held)).path().to_owned()).unwrap(),
    ];
    let link = parent.join("page-cache-tutor-3-link");
    symlink(&precious, &link).unwrap();
    let plain = parent.join("page-cache-tutor-4-file");
    fs::write(&plain, "x").unwrap();
    // Without a lock file nobody can tell whose the files are.
    let unlocked = dead(parent, "page-cache-tutor-5-x");
    fs::remove_file(unlocked.join("lock")).unwrap();
    // A pipe by that name must not make us wait.
    let odd = dead(parent, "page-cache-tutor-6-x");
    fs::remove_file(odd.join("lock")).unwrap();
    symlink(precious.join("file"), odd.join("lock")).unwrap();

    assert_eq!(ours(collect(&[parent.to_owned()]), parent), [first.clone(), second.clone()]);
    assert!(!first.exists() && !second.exists());
    assert!(precious.join("file").exists());
    assert!(kept.iter().all(|path| path.exists()));
    assert!(link.symlink_metadata().is_ok() && plain.exists() && unlocked.exists() && odd.exists());
    assert_eq!(
        ours(collect(&[parent.to_owned()]), parent),
        [] as [PathBuf; 0],
        "a second time there is nothing"
    );
}

#[test]
fn another_users_directory_is_left_alone() {
    if !nix::unistd::geteuid().is_root() {
        return skip("only root can give a directory to somebody else");
    }
    let Some(scratch) = disk() else { return };
    let theirs = dead(scratch.path(), "page-cache-tutor-1-theirs");
    std::os::unix::fs::chown(&theirs, Some(65534), None).unwrap();
    assert_eq!(ours(collect(&[scratch.path().to_owned()]), scratch.path()), [] as [PathBuf; 0]);
    assert!(theirs.join("data").exists());
}

#[test]
fn places_that_are_missing_or_closed_are_passed_over() {
    collect(&["/nonexistent".into(), "/dev/null".into(), "relative/nowhere".into()]);
}

#[test]
fn a_run_is_left_alone_while_it_lives_and_collected_after_a_kill() {
    let Some(scratch) = disk() else { return };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "collect::hold_until_killed", "--nocapture"])
        .env("HOLD_IN", scratch.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let held = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("held ").map(PathBuf::from))
        .expect("the child says where");
    let also = [scratch.path().to_owned()];
    assert_eq!(ours(collect(&also), scratch.path()), [] as [PathBuf; 0]);
    assert!(held.join("data").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(held.join("data").exists(), "nobody could tidy up after SIGKILL");
    assert_eq!(ours(collect(&also), scratch.path()), std::slice::from_ref(&held));
    assert!(!held.exists());
}

/// The child of the test above, not a test.
#[test]
#[ignore = "a child of another test"]
fn hold_until_killed() {
    let dir = std::env::var_os("HOLD_IN").expect("started by its parent");
    let scratch = Scratch::create(Some(Path::new(&dir))).unwrap();
    scratch.write("data", 1, &mut |_| ()).unwrap();
    println!("\nheld {}", scratch.path().display());
    std::thread::sleep(std::time::Duration::from_secs(60));
}
