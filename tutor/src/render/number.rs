//! Values as text: what `instruments::size` prints, for the floating values of figures and questions.

use instruments::size;
use lesson::figure::Scale;

/// A count that need not be whole.
pub(super) fn count(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{}", size::format_count(value.abs() as u64))
    } else {
        three(value)
    }
}

/// Whether digits alone would be longer than anybody reads.
fn is_extreme(value: f64) -> bool {
    value != 0.0 && value.is_finite() && !(1e-6..1e15).contains(&value.abs())
}

/// `25x`.
pub(super) fn ratio(value: f64) -> String {
    if is_extreme(value) { format!("{value:.2e}x") } else { size::format_ratio(value) }
}

/// Three significant digits without trailing zeros.
pub(super) fn three(value: f64) -> String {
    let ratio = ratio(value);
    ratio.strip_suffix('x').unwrap_or(&ratio).to_owned()
}

/// `12.5%`.
pub(super) fn percent(value: f64) -> String {
    if value.is_finite() { format!("{}%", three(value)) } else { "unknown".to_owned() }
}

/// `part` of `whole` in percent, at most seven columns; nothing of nothing is 0%. Only all is 100%, only nothing 0%.
pub(super) fn share(part: u64, whole: u64) -> String {
    if part == 0 {
        return percent(0.0);
    }
    let value = 100.0 * part as f64 / whole.max(1) as f64;
    if part < whole && value > 99.9 {
        ">99.9%".to_owned()
    } else if value < 0.01 {
        "<0.01%".to_owned()
    } else {
        percent(value)
    }
}

/// `381 ms`.
fn nanoseconds(value: f64) -> String {
    if is_extreme(value / 1e6) { format!("{value:.2e} ns") } else { size::format_ns(value) }
}

/// `512 MiB`, of a value that came through floating point.
pub(super) fn bytes(value: f64) -> String {
    if !value.is_finite() {
        "unknown".to_owned()
    } else if value < 0.0 {
        format!("-{}", bytes(-value))
    } else {
        size::format_bytes(value.round() as u64)
    }
}

/// A value of an axis.
pub(super) fn scaled(scale: Scale, value: f64) -> String {
    match scale {
        Scale::Bytes => bytes(value),
        Scale::Nanoseconds => nanoseconds(value),
        Scale::Ratio => ratio(value),
        Scale::Number => count(value),
        Scale::BytesPerSecond if value.is_finite() => format!("{}/s", bytes(value)),
        Scale::BytesPerSecond => "unknown".to_owned(),
        Scale::Percent => percent(value),
    }
}

/// A value of an axis beside its tick: without digits that say nothing (`1 ms`, not `1.00 ms`).
pub fn tick(scale: Scale, value: f64) -> String {
    let text = scaled(scale, value);
    match text.split_once(' ') {
        Some((digits, unit)) if digits.contains('.') => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits} {unit}")
        }
        _ => text,
    }
}
