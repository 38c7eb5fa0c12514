//! The `[name] key=value …` line that a workload prints, for people and for parsing.

use std::collections::BTreeMap;

/// The fields of the last non-empty line of `stdout`, if it is workload `name`'s line; None if it is not.
/// A word without `=` has no key and says nothing; of a key given twice the last value stands.
pub(crate) fn parse(name: &str, stdout: &str) -> Option<BTreeMap<String, String>> {
    let line = stdout.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let fields = line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(']')?;
    let pairs = fields.split_whitespace().filter_map(|word| word.split_once('='));
    let named = pairs.filter(|(key, _)| !key.is_empty());
    Some(named.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(pairs: &[(&str, &str)]) -> Option<BTreeMap<String, String>> {
        Some(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn the_last_line_counts() {
        let stdout = "[cread] bytes=1\n\nnoise\n[cread] bytes=2 how=read elapsed_ns=unknown\n\n";
        let expected = fields(&[("bytes", "2"), ("how", "read"), ("elapsed_ns", "unknown")]);
        assert_eq!(parse("cread", stdout), expected);
    }

    #[test]
    fn another_line_is_not_ours() {
        for stdout in
            ["", "\n \n", "cread bytes=1", "[cread", "[cread2] a=1", "[evict] a=1", "[cread] a=1\nbye"]
        {
            assert_eq!(parse("cread", stdout), None, "{stdout:?}");
        }
    }

    #[test]
    fn odd_words_do_no_harm() {
        assert_eq!(parse("w", "[w]"), fields(&[]));
        assert_eq!(parse("w", "[w] word =x a= b=c=d"), fields(&[("a", ""), ("b", "c=d")]));
        assert_eq!(parse("w", "[w] a=1 a=2\r\n"), fields(&[("a", "2")]));
        assert_eq!(parse("w", "[w]a=1"), fields(&[("a", "1")]));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(pairs in prop::collection::btree_map("[a-z_]{1,8}", "[^\\s]{0,8}", 0..6)) {
            let line = pairs.iter().fold("[w]".to_owned(), |line, (key, value)| format!("{line} {key}={value}"));
            prop_assert_eq!(parse("w", &line), Some(pairs));
        }

        #[test]
        fn nothing_panics(name in ".{0,4}", text in ".{0,40}") {
            let _ = parse(&name, &text);
        }
    }
}
