//! From what people type to bytes.

use super::{LARGEST_BYTES, UNITS};

/// More digits than this after the point cannot change a byte of even the largest size.
const MOST_FRACTION_DIGITS: usize = 18;

/// Parse a size in bytes. Units are binary, with or without `i` and `B`, any case, an optional space; fractions
/// such as `1.5G` are allowed, and rounded to a whole byte. Err says in one line what was not understood, or that it
/// is too large.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a size is missing: write one like 512M, 1.5G or 4096".into());
    }
    if text.starts_with('-') {
        return Err(format!("`{}` is below zero: a size is 0 or more", shown(text)));
    }
    let not_a_size = || format!("`{}` is not a size: write one like 512M, 1.5G or 4096", shown(text));

    let number_ends = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_ends);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return Err(not_a_size());
    }
    let power = power_of_1024(unit.trim_start()).ok_or_else(not_a_size)?;
    if power == 0 && fraction.contains(|digit| digit != '0') {
        return Err(format!("`{}` is not a whole number of bytes", shown(text)));
    }

    scaled(whole, fraction, power).filter(|bytes| *bytes <= LARGEST_BYTES).ok_or_else(|| {
        format!("`{}` is too large: the largest is {LARGEST_BYTES} bytes, one less than 8 EiB", shown(text))
    })
}

/// The unit's power of 1024: `k`, `KB`, `KiB` and `Ki` all mean 1.
fn power_of_1024(unit: &str) -> Option<u32> {
    let unit = unit.to_ascii_uppercase();
    if matches!(unit.as_str(), "" | "B" | "BYTE" | "BYTES") {
        return Some(0);
    }
    let letter = unit.strip_suffix('B').unwrap_or(&unit);
    let letter = letter.strip_suffix('I').unwrap_or(letter);
    let power = UNITS.iter().position(|known| *known == letter).filter(|power| *power > 0)?;
    u32::try_from(power).ok()
}

/// `whole.fraction` × 1024^`power`, to the nearest byte. None where that is more than 64 bits can hold.
fn scaled(whole: &str, fraction: &str, power: u32) -> Option<u64> {
    let unit = 1024_u128.checked_pow(power)?;
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.into() };

    let fraction = &fraction[..fraction.len().min(MOST_FRACTION_DIGITS)];
    let ten_to_digits = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
    let fraction: u128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };

    let part = (fraction * unit + ten_to_digits / 2) / ten_to_digits;
    u64::try_from(whole.checked_mul(unit)?.checked_add(part)?).ok()
}

/// The text as an error may quote it: on one line, and not a screenful.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
