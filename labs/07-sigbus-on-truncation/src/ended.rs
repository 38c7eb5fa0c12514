//! What became of a child that touched a byte: a value, or its death, with the page that it died of.

use instruments::bench::Run;
use instruments::subject::Exit;
use instruments::{Bench, Unavailable};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt;

/// What a touch came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The load returned this value.
    Value(u8),
    /// The process was killed.
    Killed(Death),
}

/// A death by signal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// Such as SIGBUS.
    pub signal: String,
    /// Its number on this machine.
    pub number: i32,
    /// si_code, where the tracer saw it.
    pub code: Option<i32>,
    /// The page of the mapping, counted from 0, in which si_addr lies; None where it lies elsewhere or is not known.
    pub page: Option<u64>,
}

/// si_code of a SIGBUS for an address that has nothing behind it. See sigaction(2).
pub const BUS_ADRERR: i32 = 2;

impl Death {
    /// Whether it is the one that a missing page brings, in this page of the mapping.
    pub fn is_missing_page(&self, page: u64) -> bool {
        self.signal == "SIGBUS" && self.code == Some(BUS_ADRERR) && self.page == Some(page)
    }

    /// si_code by its name, where it has one.
    pub fn code_name(&self) -> Option<&'static str> {
        match (self.signal.as_str(), self.code?) {
            ("SIGBUS", 1) => Some("BUS_ADRALN"),
            ("SIGBUS", BUS_ADRERR) => Some("BUS_ADRERR"),
            ("SIGBUS", 3) => Some("BUS_OBJERR"),
            ("SIGBUS", 4) => Some("BUS_MCEERR_AR"),
            ("SIGSEGV", 1) => Some("SEGV_MAPERR"),
            ("SIGSEGV", 2) => Some("SEGV_ACCERR"),
            _ => None,
        }
    }

    /// `SIGBUS at page 129`.
    pub fn short(&self) -> String {
        match self.page {
            Some(page) => format!("{} at page {page}", self.signal),
            None => self.signal.clone(),
        }
    }
}

/// `SIGBUS (BUS_ADRERR) at page 129`.
impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.signal)?;
        match (self.code_name(), self.code) {
            (Some(name), _) => write!(f, " ({name})")?,
            (None, Some(code)) => write!(f, " (code {code})")?,
            (None, None) => {}
        }
        match self.page {
            Some(page) => write!(f, " at page {page}"),
            None => Ok(()),
        }
    }
}

/// Run a workload that may die. One that gives up in order is a failure of ours.
pub fn run_to_death(
    bench: &mut Bench<'_>,
    name: &str,
    args: &[&OsStr],
) -> Result<(Run, Option<Death>), Unavailable> {
    let run = bench.run_to_death(name, args)?;
    let death = match &run.exit {
        Exit::Code(0) => None,
        Exit::Code(code) => {
            let why = format!("it ended with exit code {code}");
            return Err(Unavailable::failed(
                format!("run `{}`", run.command),
                why,
                "run it by hand to see why",
            ));
        }
        Exit::Signal { number, name, code, address } => {
            let page = address.and_then(|address| page_of(&run, address));
            Some(Death { signal: name.clone(), number: *number, code: *code, page })
        }
    };
    Ok((run, death))
}

/// The page of the mapping that the run announced; None outside of it.
fn page_of(run: &Run, address: u64) -> Option<u64> {
    let base = u64::from_str_radix(run.text("base").ok()?.strip_prefix("0x")?, 16).ok()?;
    let offset = address.checked_sub(base)?;
    let page = run.u64("page_bytes").ok()?;
    let mapped = run.u64("size_bytes").ok()?;
    (offset < mapped).then(|| offset.checked_div(page)).flatten()
}

/// The value that a run printed, or its death.
pub fn value_or_death(run: &Run, death: Option<Death>) -> Result<Ended, Unavailable> {
    Ok(match death {
        Some(death) => Ended::Killed(death),
        None => Ended::Value(byte(run, "value")?),
    })
}

/// A field as a byte.
pub fn byte(run: &Run, key: &str) -> Result<u8, Unavailable> {
    let value = run.u64(key)?;
    u8::try_from(value).map_err(|_| {
        Unavailable::failed(format!("read {key} of `{}`", run.command), format!("{value} is not a byte"), "")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn run(fields: &[(&str, &str)]) -> Run {
        Run {
            command: "tutor run mapcut".into(),
            fields: fields
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect::<BTreeMap<_, _>>(),
            wall_ns: 1,
            usage: Default::default(),
            exit: Exit::Code(0),
        }
    }

    #[test]
    fn an_address_is_a_page_of_the_announced_mapping_or_nothing() {
        let run = run(&[("base", "0x10000"), ("page_bytes", "4096"), ("size_bytes", "8192")]);
        assert_eq!(page_of(&run, 0x10000), Some(0));
        assert_eq!(page_of(&run, 0x11fff), Some(1));
        assert_eq!(page_of(&run, 0x12000), None);
        assert_eq!(page_of(&run, 0xffff), None);
        assert_eq!(page_of(&self::run(&[]), 0x10000), None);
    }

    #[test]
    fn a_death_is_told_with_what_is_known_of_it() {
        let mut death = Death { signal: "SIGBUS".into(), number: 7, code: Some(2), page: Some(129) };
        assert_eq!(death.to_string(), "SIGBUS (BUS_ADRERR) at page 129");
        assert!(death.is_missing_page(129) && !death.is_missing_page(128));
        death.code = Some(77);
        assert_eq!(death.to_string(), "SIGBUS (code 77) at page 129");
        death = Death { code: None, page: None, ..death };
        assert_eq!(death.to_string(), "SIGBUS");
        assert!(!death.is_missing_page(129));
    }
}
