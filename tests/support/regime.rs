//! Surroundings that only root can make: filesystems of their own, and memory limits. They go with what runs in them.

use super::{Fixture, Ran, has_or_skip, is_root_or_skip, skip};
use std::fs;
use std::path::{Path, PathBuf};

/// What lies below the directory `place`.
#[derive(Clone, Copy, Debug)]
pub enum Disk {
    /// A filesystem of this kind and size, in a file on the real disk.
    Image(&'static str, &'static str),
    /// The same, mounted read-only.
    ReadOnly(&'static str, &'static str),
    /// An overlay of directories on the real disk.
    Overlay,
    /// A tmpfs, with these options.
    Tmpfs(&'static str),
    /// An overlay whose upper layer lives in memory.
    OverlayInMemory,
}

/// A place made for a test, by a shell script.
pub struct Regime {
    fixture: Fixture,
    make: String,
}

/// The shell script's way to say that the regime cannot be made here.
const NOT_HERE: i32 = 77;

impl Regime {
    /// A disk. None, and why, where this is not root or a tool is missing.
    pub fn on(disk: Disk) -> Option<Regime> {
        let image = |kind: &str, size: &str, options: &str| {
            let force = if kind == "ext4" { "-F" } else { "-f" };
            format!(
                "truncate -s {size} image; mkfs.{kind} -q {force} image; mount -o loop{options} image place"
            )
        };
        let overlay = |upper: &str| {
            let layers = format!("lowerdir=lower,upperdir={upper}/up,workdir={upper}/work");
            format!("mkdir -p lower {upper}/up {upper}/work; mount -t overlay overlay -o {layers} place")
        };
        let (tools, make) = match disk {
            Disk::Image(kind, size) => (vec![format!("mkfs.{kind}")], image(kind, size, "")),
            Disk::ReadOnly(kind, size) => (vec![format!("mkfs.{kind}")], image(kind, size, ",ro")),
            Disk::Overlay => (vec![], overlay("upper")),
            Disk::Tmpfs(options) => (vec![], format!("mount -t tmpfs -o {options} tmpfs place")),
            Disk::OverlayInMemory => {
                (vec![], format!("mkdir memory; mount -t tmpfs tmpfs memory; {}", overlay("memory")))
            }
        };
        let tools: Vec<_> = tools.iter().map(String::as_str).chain(["unshare", "mount"]).collect();
        (is_root_or_skip() && has_or_skip(&tools))
            .then(Fixture::on_a_disk)
            .flatten()
            .map(|fixture| Regime { fixture, make })
    }

    /// The place where scratch files, progress and recordings go.
    pub fn fixture(&self) -> &Fixture {
        &self.fixture
    }

    /// Run a command line of the tutor there, with `--dir place`. None, and why, where the place cannot be made.
    /// Nothing of the tutor's is left in it.
    pub fn run(&self, words: &str, input: &str) -> Option<Ran> {
        self.script(r#""$0" "$@" --dir place"#, words, input)
    }

    /// The same with a script of its own, in which "$0" "$@" is the tutor without `--dir`.
    pub fn script(&self, script: &str, words: &str, input: &str) -> Option<Ran> {
        let _ = fs::remove_file(self.fixture.file("image"));
        let make = &self.make;
        // In a mount namespace of its own: whatever happens, the mount goes with its last process.
        let script = format!(
            "{{ set -e; mkdir -p place; {make}; set +e; }} >made 2>&1 || exit {NOT_HERE}\n\
             {script}\ncode=$?\nls place | grep -v lost+found >left\numount place\nexit $code"
        );
        let shell = self.fixture.program_with("unshare", "--mount sh -c").arg(script);
        let shell = shell.arg(self.fixture.program()).args(words.split_whitespace());
        let ran = shell.env("PATH", path_of_root()).input(input).run();
        if ran.code() == Some(NOT_HERE) {
            let why = fs::read_to_string(self.fixture.file("made")).unwrap_or_default();
            skip(format_args!("cannot make it here: {}", why.trim()));
            return None;
        }
        assert_eq!(fs::read_to_string(self.fixture.file("left")).unwrap(), "", "left there: {ran:?}");
        self.fixture.nothing_left();
        Some(ran)
    }
}

fn path_of_root() -> String {
    format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

/// A memory cgroup with a limit, of version 1 or 2. It goes with the test.
pub struct MemoryLimit(PathBuf);

impl MemoryLimit {
    /// None, and why, where this is not root or no such cgroup can be made.
    pub fn of(bytes: u64) -> Option<MemoryLimit> {
        if !is_root_or_skip() {
            return None;
        }
        let (parent, file) = match Path::new("/sys/fs/cgroup/memory") {
            first if first.is_dir() => (first, "memory.limit_in_bytes"),
            _ => (Path::new("/sys/fs/cgroup"), "memory.max"),
        };
        let limit = MemoryLimit(parent.join(format!("tutor-test-{}-{bytes}", std::process::id())));
        let made = fs::create_dir(&limit.0).and_then(|()| fs::write(limit.0.join(file), bytes.to_string()));
        made.map_err(|error| skip(format_args!("no memory cgroup can be made: {error}"))).ok().map(|()| limit)
    }

    /// Run a command line of the tutor in it.
    pub fn run(&self, fixture: &Fixture, words: &str, input: &str) -> Ran {
        let script = r#"echo $$ > "$CGROUP/cgroup.procs"; exec "$0" "$@""#;
        let shell = fixture.program_with("sh", "-c").arg(script).arg(fixture.program());
        shell.args(words.split_whitespace()).env("CGROUP", &self.0).input(input).run()
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        // The last process may still be on its way out.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
