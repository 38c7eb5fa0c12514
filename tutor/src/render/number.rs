//! Values as text: what `instruments::size` prints, for the floating values of figures and questions.

use instruments::size;
use lesson::figure::Scale;

/// A count that need not be whole.
pub(super) fn count(value: f64) -> String {
    if !value.is_finite() {
        "unknown".to_owned()
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{}", size::format_count(value.abs() as u64))
    } else {
        three(value)
    }
}

/// `25x`.
pub(super) fn ratio(value: f64) -> String {
    size::format_ratio(value)
}

/// Three significant digits without trailing zeros.
pub(super) fn three(value: f64) -> String {
    let ratio = size::format_ratio(value);
    ratio.strip_suffix('x').unwrap_or(&ratio).to_owned()
}

/// `12.5%`.
pub(super) fn percent(value: f64) -> String {
    if value.is_finite() { format!("{}%", three(value)) } else { "unknown".to_owned() }
}

/// `part` of `whole` in percent; nothing of nothing is 0%.
pub(super) fn share(part: u64, whole: u64) -> String {
    if whole == 0 { percent(0.0) } else { percent(100.0 * part as f64 / whole as f64) }
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
        Scale::Nanoseconds => size::format_ns(value),
        Scale::Ratio => ratio(value),
        Scale::Number => count(value),
        Scale::BytesPerSecond if value.is_finite() => format!("{}/s", bytes(value)),
        Scale::BytesPerSecond => "unknown".to_owned(),
        Scale::Percent => percent(value),
    }
}

/// A value of an axis beside its tick: without digits that say nothing (`1 ms`, not `1.00 ms`).
pub(super) fn tick(scale: Scale, value: f64) -> String {
    let text = scaled(scale, value);
    match text.split_once(' ') {
        Some((digits, unit)) if digits.contains('.') => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits} {unit}")
        }
        _ => text,
    }
}
