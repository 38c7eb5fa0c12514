//! Evidence that contradicts itself, or the usual story: nothing is explained that the evidence does not select.

mod clock;
mod counts;
mod ways;
