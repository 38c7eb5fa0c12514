//! The tutor's own directory: progress, and where scratch directories ever were. Nothing in it is needed to run a
//! lab: what cannot be kept is told in one line, and the lab goes on.

use crate::atomic;
use crate::exit::complain;
use instruments::scratch;
use std::cell::Cell;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

const NAME: &str = "page-cache-tutor";
const DIRS: &str = "scratch-dirs";

/// The state directory, or why there is none.
#[derive(Debug)]
pub struct State {
    dir: Result<PathBuf, String>,
    told: Cell<bool>,
}

impl State {
    /// $XDG_STATE_HOME or ~/.local/state, by the XDG base directory specification. Not made yet.
    pub fn here() -> State {
        State { dir: locate(env::var_os("XDG_STATE_HOME"), env::var_os("HOME")), told: Cell::new(false) }
    }

    /// A state directory at this place, for tests.
    #[cfg(test)]
    pub fn at(dir: &Path) -> State {
        State { dir: Ok(dir.to_path_buf()), told: Cell::new(false) }
    }

    /// Where it is, whether it exists or not.
    pub fn path(&self) -> Option<&Path> {
        self.dir.as_deref().ok()
    }

    /// A file in it, whether it exists or not.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        self.path().map(|dir| dir.join(name))
    }

    /// The directory, made where it is missing, for this user only.
    pub fn make(&self) -> Result<&Path, String> {
        let dir = self.dir.as_deref().map_err(Clone::clone)?;
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir)
            .map(|()| dir)
            .map_err(|error| format!("cannot make {}: {error}", dir.display()))
    }

    /// Tell that something cannot be kept: once, however often it fails.
    pub fn tell(&self, why: &str) {
        if !self.told.replace(true) {
            complain(format_args!("progress is not saved: {why}"));
        }
    }

    /// Whether something could not be kept.
    pub fn has_told(&self) -> bool {
        self.told.get()
    }

    /// Keep in mind that scratch directories were made in `dir`, so that `tutor clean` looks there, too.
    pub fn remember_dir(&self, dir: &Path) {
        if let Err(why) = self.try_remember(dir) {
            self.tell(&why);
        }
    }

    fn try_remember(&self, dir: &Path) -> Result<(), String> {
        let dir = match fs::canonicalize(dir) {
            Ok(dir) => dir,
            // Nothing is left in a directory that has gone meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("cannot find {}: {error}", dir.display())),
        };
        let mut dirs = self.remembered_dirs();
        if dirs.contains(&dir) {
            return Ok(());
        }
        dirs.push(dir);
        let list = dirs.iter().map(|dir| dir.as_os_str().as_bytes()).collect::<Vec<_>>().join(&0);
        let file = self.make()?.join(DIRS);
        atomic::write(&file, &list, 0o600)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))
    }

    /// Every directory that [`State::remember_dir`] was told of.
    pub fn remembered_dirs(&self) -> Vec<PathBuf> {
        let list = self.file(DIRS).and_then(|file| fs::read(file).ok()).unwrap_or_default();
        list.split(|&byte| byte == 0)
            .filter(|path| !path.is_empty())
            .map(|path| PathBuf::from(OsStr::from_bytes(path)))
            .collect()
    }

    /// Remove what killed runs left: scratch directories, and temporary files in here. Returns what was removed.
    pub fn collect(&self) -> Vec<PathBuf> {
        let mut removed = scratch::collect(&self.remembered_dirs());
        removed.extend(atomic::collect(self.files_with_prefix(atomic::PREFIX)));
        removed
    }

    /// Files in it whose name starts with `prefix`.
    pub fn files_with_prefix(&self, prefix: &str) -> Vec<PathBuf> {
        let entries = self.path().and_then(|dir| fs::read_dir(dir).ok());
        let mut found: Vec<_> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.file_name().is_some_and(|name| name.as_bytes().starts_with(prefix.as_bytes()))
            })
            .collect();
        found.sort();
        found
    }

    /// Remove it with all that is in it. False where there was none.
    pub fn remove(&self) -> io::Result<bool> {
        match self.path().map(fs::remove_dir_all) {
            None => Ok(false),
            Some(Ok(())) => Ok(true),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Some(Err(error)) => Err(error),
        }
    }
}

fn locate(
    xdg_state_home: Option<std::ffi::OsString>,
    home: Option<std::ffi::OsString>,
) -> Result<PathBuf, String> {
    // The specification: a relative path is invalid and has to be ignored.
    let absolute =
        |value: Option<std::ffi::OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(xdg_state_home)
        .or_else(|| absolute(home).map(|home| home.join(".local/state")))
        .map(|state| state.join(NAME))
        .ok_or_else(|| "neither XDG_STATE_HOME nor HOME names a directory".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_follows_the_xdg_rules() {
        let locate =
            |xdg: Option<&str>, home: Option<&str>| locate(xdg.map(Into::into), home.map(Into::into));
        assert_eq!(locate(Some("/s"), Some("/h")), Ok("/s/page-cache-tutor".into()));
        assert_eq!(locate(Some("relative"), Some("/h")), Ok("/h/.local/state/page-cache-tutor".into()));
        assert_eq!(locate(Some(""), Some("/h")), Ok("/h/.local/state/page-cache-tutor".into()));
        assert!(locate(None, None).is_err());
        assert!(locate(None, Some("")).is_err());
    }

    #[test]
    fn directories_are_remembered_once_even_with_odd_names() {
        let place = tempfile::tempdir().unwrap();
        let odd = place.path().join(OsStr::from_bytes(b"a\nb\xff"));
        fs::create_dir(&odd).unwrap();
        let state = State::at(&place.path().join("state"));
        state.remember_dir(&odd);
        state.remember_dir(place.path());
        state.remember_dir(&odd);
        let real = fs::canonicalize(place.path()).unwrap();
        assert_eq!(state.remembered_dirs(), [fs::canonicalize(&odd).unwrap(), real]);
    }
}
