//! Sizes that people type, and how figures are printed.

use super::*;
use proptest::prelude::*;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const GIB: u64 = 1024 * MIB;

#[test]
fn reads_what_people_type() {
    for (text, bytes) in [
        ("0", 0),
        ("777", 777),
        ("777B", 777),
        ("3 bytes", 3),
        ("4k", 4 * KIB),
        ("128K", 128 * KIB),
        ("128 KiB", 128 * KIB),
        ("128kb", 128 * KIB),
        ("128Ki", 128 * KIB),
        ("512M", 512 * MIB),
        ("512 MiB", 512 * MIB),
        (" 512  mib ", 512 * MIB),
        ("1.5G", 3 * GIB / 2),
        (".5k", 512),
        ("1.k", KIB),
        ("4096.0", 4096),
        ("0.1K", 102),
        ("1T", KIB * GIB),
        ("2P", 2 * MIB * GIB),
        ("7E", 7 * GIB * GIB),
        ("0.000000000000000000000000001K", 0),
    ] {
        assert_eq!(parse_bytes(text), Ok(bytes), "{text:?}");
    }
}

#[test]
fn the_largest_is_said_when_it_is_passed() {
    assert_eq!(parse_bytes("9223372036854775807"), Ok(LARGEST_BYTES));
    for text in ["8E", "9E", "99999999999P", "9223372036854775808", "99999999999999999999999999"] {
        let error = parse_bytes(text).expect_err(text);
        let told =
            format!("`{text}` is too large: the largest is 9223372036854775807 bytes, one less than 8 EiB");
        assert_eq!(error, told);
    }
}

#[test]
fn junk_is_refused_in_one_line_that_shows_a_way() {
    for text in [
        "", " ", "M", ".", ".k", "1..5G", "1.2.3", "12Q", "12KiBB", "12 K B", "1,5G", "1e9", "0x10", "NaN",
        "inf", "½", "1\n2", "1I", "1iB",
    ] {
        let error = parse_bytes(text).expect_err(text);
        assert!(error.contains("write one like 512M, 1.5G or 4096"), "{text:?}: {error}");
        assert!(!error.contains('\n'), "{text:?}: {error}");
    }
    assert_eq!(parse_bytes("-1M").expect_err("negative"), "`-1M` is below zero: a size is 0 or more");
    assert_eq!(parse_bytes("1.5").expect_err("half a byte"), "`1.5` is not a whole number of bytes");
    assert!(parse_bytes(&"z".repeat(100_000)).expect_err("long").len() < 200);
}

#[test]
fn bytes_are_printed_with_three_digits() {
    for (bytes, text) in [
        (0, "0 B"),
        (1023, "1023 B"),
        (4 * KIB, "4 KiB"),
        (4 * KIB + 1, "4.00 KiB"),
        (512 * MIB, "512 MiB"),
        (1000 * KIB, "1000 KiB"),
        (3 * GIB / 2, "1.50 GiB"),
        (12_345_678, "11.8 MiB"),
        (MIB - 1, "1.00 MiB"),
        (1023 * KIB, "1023 KiB"),
        (10 * MIB - 1, "10.0 MiB"),
        (100 * MIB - 1, "100 MiB"),
        (u64::MAX, "16.0 EiB"),
    ] {
        assert_eq!(format_bytes(bytes), text, "{bytes}");
    }
}

#[test]
fn a_command_line_shows_exact_sizes() {
    for (bytes, text) in [
        (0, "0"),
        (777, "777"),
        (4 * KIB, "4K"),
        (512 * MIB, "512M"),
        (512 * MIB + 1, "536870913"),
        (3 * GIB / 2, "1536M"),
    ] {
        assert_eq!(shell_bytes(bytes), text);
    }
}

#[test]
fn times_counts_and_ratios_are_printed_with_three_digits() {
    for (ns, text) in [
        (0.0, "0 ns"),
        (58.0, "58.0 ns"),
        (999.4, "999 ns"),
        (999.6, "1.00 µs"),
        (3021.0, "3.02 µs"),
        (381_400_000.0, "381 ms"),
        (999_700_000.0, "1.00 s"),
        (15.5e9, "15.5 s"),
        (1234.0e9, "1,230 s"),
        (-2000.0, "-2.00 µs"),
        (f64::NAN, "unknown"),
    ] {
        assert_eq!(format_ns(ns), text, "{ns}");
    }
    for (count, text) in [
        (0, "0"),
        (999, "999"),
        (1000, "1,000"),
        (131_072, "131,072"),
        (u64::MAX, "18,446,744,073,709,551,615"),
    ] {
        assert_eq!(format_count(count), text);
    }
    for (ratio, text) in [
        (25.0, "25x"),
        (1.324, "1.32x"),
        (0.62, "0.62x"),
        (0.999_9, "1x"),
        (9.996, "10x"),
        (1343.0, "1,340x"),
        (100.0, "100x"),
        (0.0, "0x"),
        (0.000_123_4, "0.000123x"),
        (f64::INFINITY, "unknown"),
    ] {
        assert_eq!(format_ratio(ratio), text, "{ratio}");
    }
}

proptest! {
    #[test]
    fn what_a_command_line_shows_is_read_back_exactly(bytes in 0..=LARGEST_BYTES, shift in 0_u32..63) {
        for bytes in [bytes, bytes >> shift, (bytes >> shift) << shift] {
            prop_assert_eq!(parse_bytes(&shell_bytes(bytes)), Ok(bytes));
        }
    }

    #[test]
    fn what_is_printed_is_read_back_within_half_a_percent(bytes in 0..LARGEST_BYTES, shift in 0_u32..63) {
        let bytes = bytes >> shift;
        let printed = format_bytes(bytes);
        // The top of the range may be rounded up to 8.00 EiB, which no file has.
        if let Ok(read) = parse_bytes(&printed) {
            prop_assert!(read.abs_diff(bytes) <= bytes / 200, "{} is printed {}", bytes, printed);
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,40}") {
        let _ = parse_bytes(&text);
    }
}
