//! Trials: interleaved, with median and spread, and whether two spreads overlap.
//!
//! SKELETON: signatures are fixed, some bodies to be written.

use serde::{Deserialize, Serialize};

/// The kept values of one arm, in the order in which they were measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// One value a kept trial; the field that holds the samples names the unit.
    pub values: Vec<f64>,
    /// Trials thrown away because the state was not what it had to be.
    pub discarded: u32,
    /// Why the last one was thrown away.
    pub discarded_why: Option<String>,
}

/// One trial's end.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// Its value counts.
    Kept(f64),
    /// The state was wrong, for this reason: counted, never averaged in.
    Discarded(String),
}

impl Samples {
    /// The middle value; None when no trial was kept.
    pub fn median(&self) -> Option<f64> {
        todo!()
    }

    /// First and third quartile (linear interpolation): the spread.
    pub fn quartiles(&self) -> Option<(f64, f64)> {
        todo!()
    }

    /// Half the distance between the quartiles: the ± beside a median.
    pub fn half_spread(&self) -> Option<f64> {
        todo!()
    }

    /// Whether the quartile ranges overlap: if so, there is no verdict between the two.
    pub fn overlaps(&self, _other: &Samples) -> bool {
        todo!()
    }

    /// Median of self over median of other; None when either is missing or other's is 0.
    pub fn ratio_to(&self, _other: &Samples) -> Option<f64> {
        todo!()
    }
}

/// Run `rounds` kept trials of each of `arms` arms, interleaved (0 1 2, 2 1 0, 0 1 2, …), so that a drift of the
/// machine meets all alike. A discarded trial is tried again, at most `rounds` extra times an arm.
pub fn interleave<E>(
    _arms: usize,
    _rounds: u32,
    _trial: impl FnMut(usize, u32) -> Result<Trial, E>,
) -> Result<Vec<Samples>, E> {
    todo!()
}
