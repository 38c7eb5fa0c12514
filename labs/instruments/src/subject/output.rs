//! Read a child's two streams at once, so that neither fills up while the other is waited for, and keep a bounded
//! part of each.

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{self, PipeReader, Read};
use std::os::fd::AsFd;

/// Kept of each stream; the rest is read and dropped.
pub(super) const KEPT_BYTES: usize = 1 << 20;

/// What may be left in a pipe once its writer is gone: the most that an ordinary user can make a pipe hold, see
/// pipe(7). Reading no more ends the drain even where a grandchild holds the other end and writes for ever.
const LEFT_BYTES: usize = 1 << 20;

struct Stream {
    pipe: PipeReader,
    open: bool,
    kept: Vec<u8>,
}

impl Stream {
    fn new(pipe: PipeReader) -> io::Result<Stream> {
        let flags = OFlag::from_bits_retain(fcntl(&pipe, FcntlArg::F_GETFL)?);
        fcntl(&pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(Stream { pipe, open: true, kept: Vec::new() })
    }

    /// Read what is there, `most` bytes at most.
    fn drain(&mut self, most: usize, buffer: &mut [u8]) -> io::Result<()> {
        let mut seen = 0;
        while self.open && seen < most {
            match self.pipe.read(buffer) {
                Ok(0) => self.open = false,
                Ok(count) => {
                    seen += count;
                    let room = KEPT_BYTES - self.kept.len();
                    self.kept.extend_from_slice(&buffer[..count.min(room)]);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn text(self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }
}

/// Read `stdout` and `stderr` until both are closed, or until `ended` (the other end of which is closed when the
/// child is dead) and nothing is left in them: a grandchild may keep them open for as long as it likes.
pub(super) fn drain(
    stdout: PipeReader,
    stderr: PipeReader,
    ended: PipeReader,
) -> io::Result<(String, String)> {
    let mut streams = [Stream::new(stdout)?, Stream::new(stderr)?];
    let mut buffer = vec![0; 64 << 10];
    loop {
        let mut waited = vec![PollFd::new(ended.as_fd(), PollFlags::POLLIN)];
        let open = streams.iter().filter(|stream| stream.open);
        waited.extend(open.map(|stream| PollFd::new(stream.pipe.as_fd(), PollFlags::POLLIN)));
        match poll(&mut waited, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let over = waited[0].any().unwrap_or(true);
        for stream in &mut streams {
            stream.drain(LEFT_BYTES, &mut buffer)?;
        }
        if over {
            let [stdout, stderr] = streams;
            return Ok((stdout.text(), stderr.text()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_was_written_before_the_end_is_kept() {
        let (stdout, mut out) = io::pipe().unwrap();
        let (stderr, err) = io::pipe().unwrap();
        let (ended, end) = io::pipe().unwrap();
        out.write_all(b"a line\n").unwrap();
        drop((err, end));
        // `out` stays open, as a grandchild's would.
        let (stdout, stderr) = drain(stdout, stderr, ended).unwrap();
        assert_eq!((stdout.as_str(), stderr.as_str()), ("a line\n", ""));
        drop(out);
    }
}
