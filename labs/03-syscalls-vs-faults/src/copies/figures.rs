//! Bars of the times, with what proves each arm's state beside it.

use crate::copies::ways::{State, Times, Way};
use crate::words::{many, time};
use instruments::size::format_bytes;
use lesson::figure::{Bar, Bars};

/// The times of all ways in one state.
pub fn bars(state: State, times: &Times<'_>) -> Bars {
    let (name, note): (_, fn(&Way<'_>) -> String) = match state {
        State::Warm { .. } => ("warm", faults),
        State::Cold { .. } => ("cold", from_disk),
    };
    let bar = |way: &Way<'_>| Bar {
        label: way.name.to_owned(),
        value: way.elapsed.median().unwrap_or(0.0),
        text: time(&way.elapsed),
        note: note(way),
    };
    Bars {
        title: format!("time to add up {}, {name}", format_bytes(state.bytes())),
        bars: times.all().map(bar).collect(),
    }
}

fn faults(way: &Way<'_>) -> String {
    many(way.median(|pass| pass.minor_faults.saturating_add(pass.major_faults)), "fault")
}

fn from_disk(way: &Way<'_>) -> String {
    way.device_bytes().map_or_else(String::new, |bytes| format!("{} from disk", format_bytes(bytes)))
}
