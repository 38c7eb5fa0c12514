//! Open a file that the user named: only to read it, without ever waiting, and only if it is a regular file.

use crate::Unavailable;
use std::fs::{File, FileType, OpenOptions};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Open `path` for reading, and refuse in one line whatever has no pages of its own in the page cache: directories,
/// pipes, sockets, devices. See open(2).
pub fn regular(path: &Path) -> Result<File, Unavailable> {
    let failed = |why: &dyn std::fmt::Display, remedy: &str| {
        Unavailable::failed(format!("open {}", shown(path)), why, remedy)
    };
    let refuse_others = |kind: FileType| match kind_in_words(kind) {
        None => Ok(()),
        Some(words) => Err(failed(&format_args!("it is {words}"), "name a regular file")),
    };
    let not_opened = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => failed(&"there is no such file", "check the name"),
        std::io::ErrorKind::PermissionDenied => {
            failed(&"you may not read it", "name a file that you may read")
        }
        _ => failed(&error, ""),
    };

    // Looked at before it is opened, since opening some devices does something; and after, since it may have changed.
    refuse_others(std::fs::metadata(path).map_err(not_opened)?.file_type())?;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC)
        .open(path)
        .map_err(not_opened)?;
    refuse_others(file.metadata().map_err(not_opened)?.file_type())?;
    Ok(file)
}

/// Open `path` for reading with one openat(2) and nothing else, without waiting: for a workload whose calls are counted,
/// on a path that [`regular`] has accepted before.
pub fn at_once(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

/// The path as a message shows it: on one line, whatever bytes it has.
pub fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for c in path.to_string_lossy().chars() {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// What it is, unless it is a regular file.
fn kind_in_words(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a directory")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_block_device() || kind.is_char_device() {
        Some("a device")
    } else {
        Some("not a regular file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    fn refusal(path: &Path) -> String {
        regular(path).expect_err("it is not a regular file").to_string()
    }

    #[test]
    fn a_regular_file_is_opened_also_through_a_link() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::fs::write(&file, "text")?;
        std::os::unix::fs::symlink(&file, &link)?;
        assert_eq!(regular(&file).expect("a file").metadata()?.len(), 4);
        assert_eq!(regular(&link).expect("a link to it").metadata()?.len(), 4);
        Ok(())
    }

    #[test]
    fn anything_else_is_refused_without_waiting() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let at = |name: &str| dir.path().join(name);
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU)?;
        let _listener = UnixListener::bind(at("socket"))?;
        std::os::unix::fs::symlink(at("nowhere"), at("dangling"))?;

        let shown = |name: &str| shown(&at(name));
        assert_eq!(
            refusal(&at("pipe")),
            format!("cannot open {}: it is a pipe; name a regular file", shown("pipe"))
        );
        assert!(refusal(&at("socket")).contains("it is a socket"));
        assert!(refusal(dir.path()).contains("it is a directory"));
        assert!(refusal(Path::new("/dev/null")).contains("it is a device"));
        assert!(refusal(&at("missing")).contains("there is no such file"));
        assert!(refusal(&at("dangling")).contains("there is no such file"));
        assert!(refusal(Path::new("")).contains("there is no such file"));
        Ok(())
    }

    #[test]
    fn a_name_cannot_write_on_the_terminal() {
        assert_eq!(shown(Path::new("a\nb\u{1b}[31mc é")), "a\\nb\\u{1b}[31mc é");
    }
}
