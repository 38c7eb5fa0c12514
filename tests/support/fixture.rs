//! A place for one test: scratch files, progress and working directory, all inside one directory that goes with it.

use super::command::Tutor;
use super::{process, skip};
use nix::sys::statfs::{FsType, TMPFS_MAGIC, statfs};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The user that owns nothing.
const NOBODY: u32 = 65534;

// linux/magic.h
const RAMFS_MAGIC: FsType = FsType(0x8584_58f6);

/// A directory with all that one test leaves or might leave.
pub struct Fixture {
    dir: TempDir,
    tutor: PathBuf,
    user: Option<u32>,
}

impl Fixture {
    /// A place on a real disk: something can be measured there. None, and why, where there is no such place.
    pub fn on_a_disk() -> Option<Fixture> {
        let places = [std::env::temp_dir(), "/var/tmp".into(), env!("CARGO_TARGET_TMPDIR").into()];
        let found = places.iter().filter(|place| !in_memory(place)).find_map(|place| Fixture::within(place));
        if found.is_none() {
            skip(format_args!("none of {places:?} is a writable directory on a disk"));
        }
        found
    }

    /// A place anywhere, in memory where there is one: for what measures nothing, and so need not wait for a disk.
    pub fn anywhere() -> Fixture {
        Fixture::within(Path::new("/dev/shm"))
            .or_else(|| Fixture::within(&std::env::temp_dir()))
            .expect("a temporary directory can be made")
    }

    fn within(place: &Path) -> Option<Fixture> {
        let dir = tempfile::Builder::new().prefix("tutor-test-").tempdir_in(place).ok()?;
        for inner in ["state", "scratch"] {
            fs::create_dir(dir.path().join(inner)).expect("a new directory is empty");
        }
        Some(Fixture { dir, tutor: env!("CARGO_BIN_EXE_tutor").into(), user: None })
    }

    /// Give all of it to nobody, with the program where nobody can reach it. For root only.
    pub fn given_to_nobody(mut self) -> Fixture {
        let tutor = self.path().join("tutor");
        // Another filesystem needs a copy.
        fs::hard_link(&self.tutor, &tutor)
            .or_else(|_| fs::copy(&self.tutor, &tutor).map(drop))
            .expect("there is room for a copy");
        fs::set_permissions(&tutor, Permissions::from_mode(0o755)).expect("it is ours");
        for path in [self.path(), &self.state_home(), &self.scratch()] {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("root may give things away");
        }
        (self.tutor, self.user) = (tutor, Some(NOBODY));
        self
    }

    /// Without root's rights: as nobody where this is root, as it is otherwise.
    pub fn without_privileges(self) -> Fixture {
        if nix::unistd::geteuid().is_root() { self.given_to_nobody() } else { self }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Where scratch directories are made.
    pub fn scratch(&self) -> PathBuf {
        self.path().join("scratch")
    }

    /// $XDG_STATE_HOME
    pub fn state_home(&self) -> PathBuf {
        self.path().join("state")
    }

    /// A file of the tutor's state.
    pub fn state(&self, name: &str) -> PathBuf {
        self.state_home().join("page-cache-tutor").join(name)
    }

    /// A file that the test itself wants.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.tutor
    }

    /// A command line of the tutor, split at blanks.
    pub fn tutor(&self, words: &str) -> Tutor<'_> {
        self.program_with(self.tutor.clone(), words)
    }

    /// Another program, in the same surroundings.
    pub fn program_with(&self, program: impl Into<PathBuf>, words: &str) -> Tutor<'_> {
        Tutor::new(self, program.into(), self.user).args(words.split_whitespace())
    }

    /// Scratch directories and files that are still there.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        let entries = |dir: PathBuf| {
            let entries = fs::read_dir(dir).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let temporary = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".page-cache-tutor-"))
        };
        let mut left = entries(self.scratch());
        let others = [entries(self.path().into()), entries(self.state(""))].concat();
        left.extend(others.into_iter().filter(temporary));
        left
    }

    /// Command lines of processes of ours that run.
    pub fn processes(&self) -> Vec<String> {
        process::of(self.path())
    }

    /// No scratch file, no temporary file, no process is left.
    #[track_caller]
    pub fn nothing_left(&self) {
        assert!(self.leftovers().is_empty(), "files are left: {:?}", self.leftovers());
        self.no_process_left();
    }

    /// No process of ours is left.
    #[track_caller]
    pub fn no_process_left(&self) {
        // What was killed needs a moment to be gone.
        let end = Instant::now() + Duration::from_secs(10);
        while !self.processes().is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(self.processes(), [""; 0], "processes are left");
    }
}

/// Whether files there live in memory.
pub fn in_memory(place: &Path) -> bool {
    statfs(place).is_ok_and(|found| [TMPFS_MAGIC, RAMFS_MAGIC].contains(&found.filesystem_type()))
}
