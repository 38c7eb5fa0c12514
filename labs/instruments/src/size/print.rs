//! From figures to text: three significant digits, binary units.

use super::UNITS;

/// `512 MiB`, `1.50 GiB`, `0 B`: three significant digits; without a point where the figure is exact (`4 KiB`).
pub fn format_bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut power = bytes.ilog2() / 10;
    // 1023.9 KiB would be rounded to 1024 KiB: it is 1.00 MiB.
    if bytes as f64 / unit_bytes(power) as f64 >= 1023.5 && !bytes.is_multiple_of(unit_bytes(power)) {
        power += 1;
    }
    let letter = UNITS[power as usize];
    let unit = unit_bytes(power);
    if bytes.is_multiple_of(unit) {
        format!("{} {letter}iB", bytes / unit)
    } else {
        format!("{} {letter}iB", three_digits(bytes as f64 / unit as f64))
    }
}

/// The form that [`parse_bytes`](super::parse_bytes) reads and a command line shows: `512M`, `4K`, `777`. Exact.
pub fn shell_bytes(bytes: u64) -> String {
    let power = if bytes == 0 { 0 } else { bytes.trailing_zeros() / 10 };
    format!("{}{}", bytes / unit_bytes(power), UNITS[power as usize])
}

/// `381 ms`, `3.02 µs`, `15.5 s`: three significant digits.
pub fn format_ns(ns: f64) -> String {
    if !ns.is_finite() {
        return "unknown".into();
    }
    if ns < 0.0 {
        return format!("-{}", format_ns(-ns));
    }
    if ns == 0.0 {
        return "0 ns".into();
    }
    // 999.6 µs would be rounded to 1000 µs: it is 1.00 ms.
    let (per_unit, unit) = [(1.0, "ns"), (1e3, "µs"), (1e6, "ms")]
        .into_iter()
        .find(|(per, _)| ns / per < 999.5)
        .unwrap_or((1e9, "s"));
    format!("{} {unit}", three_digits(ns / per_unit))
}

/// `131,072`.
pub fn format_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `25x`, `1.32x`, `0.62x`: three significant digits, no trailing zeros.
pub fn format_ratio(ratio: f64) -> String {
    if !ratio.is_finite() {
        return "unknown".into();
    }
    let digits = three_digits(ratio);
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{digits}x")
}

/// Three significant digits of a finite figure: `1.50`, `25.0`, `381`, `1,340`, `0.0620`.
fn three_digits(figure: f64) -> String {
    let rounded: f64 = format!("{figure:.2e}").parse().unwrap_or(figure);
    if rounded == 0.0 {
        return "0".into();
    }
    let magnitude = rounded.abs().log10().floor();
    if magnitude >= 2.0 && rounded.abs() < u64::MAX as f64 {
        let sign = if rounded < 0.0 { "-" } else { "" };
        return format!("{sign}{}", format_count(rounded.abs() as u64));
    }
    let decimals = (2.0 - magnitude).max(0.0) as usize;
    format!("{rounded:.decimals$}")
}

fn unit_bytes(power: u32) -> u64 {
    1 << (10 * power)
}
