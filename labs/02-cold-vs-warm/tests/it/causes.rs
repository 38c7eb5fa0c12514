//! Every cause has a recording that selects it, and says what its snapshot shows.

use crate::spoken::{causes, spoken};
use lesson::Recording;
use std::fs;
use std::path::Path;

/// Every cause of the lab: each must have a recording of its name.
const CAUSES: [&str; 12] = [
    "writing-warmed-it",
    "writing-did-not-warm-it",
    "waited-for-device",
    "cache-below",
    "never-warm",
    "not-evicted",
    "served-from-memory",
    "counter-blind",
    "direct-went-past",
    "direct-used-cache",
    "direct-refused",
    "disk-test",
];
