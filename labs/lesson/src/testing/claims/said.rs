//! What a sentence claims of two arms.

/// The figures that end in `unit`, such as every `4.54x`, less those that are names of options.
pub fn figures(sentence: &str, unit: char, options: &[&str]) -> Vec<f64> {
    let words = sentence.split(|letter: char| letter.is_whitespace() || "(),:;".contains(letter));
    words
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !options.contains(word))
        .filter_map(|word| word.strip_suffix(unit)?.replace(',', "").parse().ok())
        .collect()
}

/// That neither is faster.
pub fn is_a_tie(sentence: &str) -> bool {
    let words = sentence.split(|letter: char| !letter.is_alphanumeric());
    words.into_iter().any(|word| word.eq_ignore_ascii_case("tie")) || sentence.contains("about the same time")
}

/// That one is faster, by some figure or by name.
pub fn is_a_difference(sentence: &str) -> bool {
    let after_a_figure = ["x faster", "x slower", "x as long", "x the time"];
    let by_name = [" won:", " was slower:", " were slower:", " were faster:", " took longer, "];
    after_a_figure.iter().chain(&by_name).any(|words| sentence.contains(words))
}
