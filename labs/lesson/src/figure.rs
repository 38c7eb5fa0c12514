//! Figures as data, not text: every renderer draws every figure.

use instruments::residency::Bucket;
use serde::{Deserialize, Serialize};

/// What a renderer draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// A few values, side by side.
    Bars(Bars),
    /// Rows and columns.
    Table(Table),
    /// One or more series over an axis.
    Curve(Curve),
    /// Which parts of a file are in the cache.
    ResidencyMap(ResidencyMap),
    /// What happened when.
    Timeline(Timeline),
}

/// A few values, side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// What the bars measure, such as "time to read 512 MiB".
    pub title: String,
    /// In order.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// How long this bar is, from -1 to 1: its value over the greatest of the figure, whatever their signs. 0 where that
    /// cannot be said.
    pub fn share(&self, bar: &Bar) -> f64 {
        let lengths = self.bars.iter().map(|bar| bar.value.abs());
        let greatest = lengths.filter(|length| length.is_finite()).fold(0.0, f64::max);
        if greatest > 0.0 && bar.value.is_finite() { bar.value / greatest } else { 0.0 }
    }
}

/// One bar; [`Bars::share`] is its length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// At its left, such as "cold".
    pub label: String,
    /// Less than nothing where something fell: such a bar is drawn in another pattern.
    pub value: f64,
    /// The value as text with unit and spread, such as "381 ms ±12".
    pub text: String,
    /// Further proof at its right, such as "512 MiB from disk"; may be empty.
    pub note: String,
}

/// Rows and columns, already formatted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// Column heads. Columns of figures are right-aligned; the first column, and others that hold words, left.
    pub head: Vec<String>,
    /// Each as long as `head`.
    pub rows: Vec<Vec<String>>,
}

/// One or more series over an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What the curve shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// One or more.
    pub series: Vec<Series>,
    /// Places on x that the sentence speaks about.
    pub marks: Vec<Mark>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// What it measures, with its unit in words.
    pub label: String,
    /// How its values are printed.
    pub scale: Scale,
    /// Logarithmic.
    pub log: bool,
}

/// How a value on an axis is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Binary units.
    Bytes,
    /// Nanoseconds, printed as ns, µs, ms, s.
    Nanoseconds,
    /// `25x`.
    Ratio,
    /// A plain number with thousands separators.
    Number,
    /// Bytes a second, printed as GiB/s.
    BytesPerSecond,
    /// Percent.
    Percent,
}

/// A named series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// By rising x.
    pub points: Vec<Point>,
}

/// A point with its spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Horizontal.
    pub x: f64,
    /// Median.
    pub y: f64,
    /// First quartile.
    pub low: f64,
    /// Third quartile.
    pub high: f64,
}

/// A place on the horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What is there.
    pub label: String,
}

/// Which parts of a file are in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidencyMap {
    /// Which file, when.
    pub title: String,
    /// Size of the file.
    pub size_bytes: u64,
    /// Bytes in a page on the machine that was measured.
    pub page_bytes: u64,
    /// From the file's start to its end.
    pub buckets: Vec<Bucket>,
}

/// What happened when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// What the line shows.
    pub title: String,
    /// By rising start.
    pub spans: Vec<Span>,
}

/// A stretch of time, from the timeline's zero. An instant has no length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Nanoseconds from zero.
    pub start_ns: u64,
    /// Nanoseconds.
    pub length_ns: u64,
    /// What it was.
    pub label: String,
    /// A figure beside it; may be empty.
    pub note: String,
}
