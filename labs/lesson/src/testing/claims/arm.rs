//! An arm of a comparison: which of its trials count, and what they spread over.

use serde_json::Value;

/// Figures of the trials that count.
pub struct Spread(Vec<f64>);

impl Spread {
    /// Of these.
    pub fn of(mut figures: Vec<f64>) -> Spread {
        figures.sort_by(f64::total_cmp);
        Spread(figures)
    }

    /// How many count.
    pub fn kept(&self) -> usize {
        self.0.len()
    }

    /// The figure at this share of the way, between its two neighbours where it lies there.
    fn at(&self, share: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else { return f64::NAN };
        let place = share * last as f64;
        let (below, above) = (self.0[place.floor() as usize], self.0[place.ceil() as usize]);
        below + (above - below) * place.fract()
    }

    /// The middle; not a number where nothing counts.
    pub fn median(&self) -> f64 {
        self.at(0.5)
    }

    /// Whether neither the printed ranges nor the quartiles meet. Two arms of which one has no spread are not.
    pub fn is_apart_from(&self, other: &Spread) -> bool {
        let printed = |it: &Spread| {
            let half = (it.at(0.75) - it.at(0.25)) / 2.0;
            (it.median() - half, it.median() + half)
        };
        let quartiles = |it: &Spread| (it.at(0.25), it.at(0.75));
        let apart = |(low, high): (f64, f64), (other_low, other_high): (f64, f64)| {
            high < other_low || other_high < low
        };
        self.kept().min(other.kept()) >= 2
            && apart(printed(self), printed(other))
            && apart(quartiles(self), quartiles(other))
    }
}

/// Whether a trial counts; the whole evidence is beside it.
pub type Rule = fn(trial: &Value, evidence: &Value) -> bool;

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn resident(state: &Value) -> Option<(u64, u64)> {
    let known = &state["known"];
    Some((known["resident_pages"].as_u64()?, known["pages"].as_u64()?))
}

fn delivered(trial: &Value) -> Option<u64> {
    trial["device_read_bytes"].as_u64()
}

fn about_all(delivered: Option<u64>, bytes: &Value) -> bool {
    let share = delivered.zip(number(bytes)).map(|(delivered, bytes)| delivered as f64 / bytes);
    share.is_some_and(|share| (0.9..=1.1).contains(&share))
}

/// Every trial counts.
pub fn any(_: &Value, _: &Value) -> bool {
    true
}

/// Nothing resident before, about all from the device.
pub fn cold(trial: &Value, _: &Value) -> bool {
    began_cold(trial, &Value::Null) && about_all(delivered(trial), &trial["bytes"])
}

/// Nothing resident before.
pub fn began_cold(trial: &Value, _: &Value) -> bool {
    resident(&trial["before"]).is_some_and(|(found, _)| found == 0)
}

/// All resident before.
pub fn all_there(trial: &Value, _: &Value) -> bool {
    resident(&trial["before"]).is_some_and(|(found, all)| found >= all)
}

/// All resident before, nothing from the device.
pub fn warm(trial: &Value, evidence: &Value) -> bool {
    all_there(trial, evidence) && delivered(trial) == Some(0)
}

/// Nothing resident before, all of it after.
pub fn brought_all(trial: &Value, evidence: &Value) -> bool {
    began_cold(trial, evidence) && resident(&trial["after"]).is_some_and(|(found, all)| found >= all)
}

/// The calls began cold, and a read came after them.
pub fn asked_cold(trial: &Value, evidence: &Value) -> bool {
    began_cold(&trial["asked"], evidence)
}

/// As [`warm`], where only the number of resident pages stands beside the trial and all of them in the evidence; a file
/// of one page where it says nothing.
pub fn warm_by_count(trial: &Value, evidence: &Value) -> bool {
    let pages = evidence["pages"].as_u64().unwrap_or(1);
    trial["resident_before_pages"].as_u64().is_some_and(|found| found >= pages)
        && delivered(trial).unwrap_or(0) == 0
}

/// As [`cold`], likewise. The device may deliver more: of a part of a file, what follows it is read ahead.
pub fn cold_by_count(trial: &Value, _: &Value) -> bool {
    let enough =
        delivered(trial).zip(number(&trial["bytes"])).is_none_or(|(got, bytes)| got as f64 >= 0.9 * bytes);
    trial["resident_before_pages"] == 0 && enough
}

/// Clean before the first store, and all dirty after the last.
pub fn all_to_write(trial: &Value, _: &Value) -> bool {
    let stored = &trial["stored"];
    let dirty = stored["unwritten"]["dirty_pages"].as_u64();
    stored["dirty_before_pages"].as_u64().unwrap_or(0) == 0
        && dirty.is_none_or(|dirty| Some(dirty) >= stored["pages"].as_u64())
}
