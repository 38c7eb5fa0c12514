//! Standard output, written so that a reader who leaves early ends the program quietly.

use crate::exit::{Ending, Result};
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};

/// Where everything goes that a command has to say.
pub struct Out {
    writer: BufWriter<Box<dyn Write>>,
}

impl Out {
    /// The process's own standard output.
    pub fn stdout() -> Out {
        Out::to(io::stdout())
    }

    /// Anything else, such as a test's buffer.
    pub fn to(writer: impl Write + 'static) -> Out {
        Out { writer: BufWriter::new(Box::new(writer)) }
    }

    /// Text as it is.
    pub fn text(&mut self, text: impl Display) -> Result {
        write!(self.writer, "{text}").map_err(ending)
    }

    /// One line.
    pub fn line(&mut self, line: impl Display) -> Result {
        writeln!(self.writer, "{line}").map_err(ending)
    }

    /// Lines, as the renderers give them.
    pub fn lines<L: Display>(&mut self, lines: impl IntoIterator<Item = L>) -> Result {
        lines.into_iter().try_for_each(|line| self.line(line))
    }

    /// One JSON document.
    pub fn json(&mut self, document: &impl serde::Serialize) -> Result {
        serde_json::to_writer_pretty(&mut self.writer, document).map_err(|error| ending(error.into()))?;
        self.line("")
    }

    /// Hand over what is buffered: before a prompt, before a screen is cleared, and at the end.
    pub fn flush(&mut self) -> Result {
        self.writer.flush().map_err(ending)
    }
}

fn ending(error: io::Error) -> Ending {
    match error.kind() {
        ErrorKind::BrokenPipe => Ending::ReaderLeft,
        _ => Ending::failed("write to standard output", error),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A buffer that a test can still read when an [`Out`] holds it.
    #[derive(Clone, Default)]
    pub struct Shared(Rc<RefCell<Vec<u8>>>);

    impl Shared {
        /// What was written so far.
        pub fn text(&self) -> String {
            String::from_utf8(self.0.borrow().clone()).expect("we write UTF-8")
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Refusing(ErrorKind);

    impl Write for Refusing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_who_left_is_no_failure_and_a_full_disk_is_one() {
        let end = |kind| {
            let mut out = Out::to(Refusing(kind));
            out.line("x").and_then(|()| out.flush()).expect_err("the writer refuses").code()
        };
        assert_eq!(end(ErrorKind::BrokenPipe), 0);
        assert_eq!(end(ErrorKind::StorageFull), 1);
    }
}
