//! Evidence as it would be on a machine that keeps to the book, to be bent by the tests.

use instruments::{Host, Plan};
use lesson::Setting;
use sigbus_on_truncation::cut::Cut;
use sigbus_on_truncation::defend::{self, Trial};
use sigbus_on_truncation::ended::{Death, Ended};
use sigbus_on_truncation::full;
use sigbus_on_truncation::shrink_mmap::{self, Place, Touch};
use sigbus_on_truncation::shrink_read;
use sigbus_on_truncation::tail::{self, Store};
use sigbus_on_truncation::workloads::defend::{Against, How};

pub const PAGE: u64 = 4096;
pub const SIZE: u64 = 1 << 20;

pub fn setting() -> Setting {
    Setting {
        host: Host { page_bytes: PAGE, ..Host::default() },
        plan: Plan { size_bytes: SIZE, block_bytes: 128 << 10, trials: 5 },
    }
}

pub fn cut() -> Cut {
    Cut::new(SIZE, PAGE)
}

/// A death by SIGBUS, BUS_ADRERR, in this page.
pub fn sigbus(page: u64) -> Death {
    Death { signal: "SIGBUS".into(), number: 7, code: Some(2), page: Some(page) }
}

pub fn killed_by(signal: &str) -> Ended {
    Ended::Killed(Death { signal: signal.into(), number: 9, code: Some(0), page: None })
}

pub fn read() -> shrink_read::Evidence {
    shrink_read::Evidence {
        cut: cut(),
        place_bytes: SIZE / 4 * 3,
        cut_error: "none".into(),
        size_after_bytes: cut().kept_bytes,
        across_asked_bytes: 200,
        across_returned_bytes: Some(100),
        read_returned_bytes: Some(0),
        read_error: "none".into(),
        read_value: None,
        regrown_value: 0,
    }
}

pub fn tail() -> tail::Evidence {
    tail::Evidence {
        cut: cut(),
        cut_error: "none".into(),
        before_value: b'A',
        last_kept_before_value: b'A',
        last_kept_value: b'A',
        ended: Ended::Value(0),
        store: Some(Store {
            stored_value: b'B',
            loaded_back_value: b'B',
            read_returned_bytes: 0,
            regrown_value: 0,
        }),
    }
}

pub fn touch(ended: Ended) -> Touch {
    let error = if matches!(ended, Ended::Killed(_)) { "EFAULT" } else { "none" };
    Touch {
        cut_error: Some("none".into()),
        system_call_error: error.into(),
        ended,
        mapped_bytes: None,
        huge_bytes: None,
    }
}

/// One place, where both touches came to this.
pub fn one_place(touch: &Touch) -> shrink_mmap::Evidence {
    let never_longer = Touch { cut_error: None, ..touch.clone() };
    let place = Place { name: "ext4".into(), cut: cut(), shrunk: touch.clone(), never_longer };
    shrink_mmap::Evidence { places: vec![place], missing: Vec::new() }
}

pub fn full() -> full::Evidence {
    full::Evidence {
        disk_bytes: 1 << 20,
        fill_error: "ENOSPC".into(),
        free_bytes: 0,
        old_page_value: b'B',
        write_error: "ENOSPC".into(),
        hole_page: 1,
        ended: Ended::Killed(sigbus(1)),
    }
}

/// Killed by the cut.
pub fn dead(how: How) -> Trial {
    Trial {
        how,
        against: Against::Cut,
        strike_error: "none".into(),
        pages: 256,
        at_page: 128,
        death: Some(sigbus(128)),
        done_pages: None,
        stopped_by: None,
        replaced_pages: None,
    }
}

/// Alive after the cut, with half of the pages.
pub fn alive(how: How) -> Trial {
    Trial {
        death: None,
        done_pages: Some(128),
        stopped_by: Some("none".into()),
        replaced_pages: Some(0),
        ..dead(how)
    }
}

pub fn defend() -> defend::Evidence {
    let handler = Trial { replaced_pages: Some(128), ..alive(How::Handler) };
    let copy = Trial { stopped_by: Some("end_of_file".into()), ..alive(How::Copy) };
    let seal = Trial { strike_error: "EPERM".into(), done_pages: Some(256), ..alive(How::Seal) };
    let trials = vec![dead(How::Check), handler, copy, seal, dead(How::Reserve)];
    defend::Evidence { trials, no_full_disk: Some("a user namespace".into()) }
}
