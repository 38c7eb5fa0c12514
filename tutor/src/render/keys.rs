//! The line that says which keys do what.

use super::Canvas;
use super::text::columns;
use super::theme::Tone;

/// The keys and what each does, on one line: in a narrow window closer together, then with one word each, then
/// the keys alone.
pub fn keys(keys: &[(&str, &str)], canvas: &Canvas) -> String {
    let first_word = |what: &str| what.split_whitespace().next().unwrap_or_default().to_owned();
    let whole: Vec<(String, String)> =
        keys.iter().map(|(key, what)| (canvas.one_line(key), canvas.one_line(what))).collect();
    let short: Vec<_> = whole.iter().map(|(key, what)| (key.clone(), first_word(what))).collect();
    let bare: Vec<_> = whole.iter().map(|(key, _)| (key.clone(), String::new())).collect();
    let forms = [(&whole, 3), (&whole, 2), (&short, 2), (&bare, 2), (&bare, 1)];
    let (form, gap) = forms
        .into_iter()
        .find(|(form, gap)| columns(&line(form, *gap, |key| key.to_owned())) <= canvas.inner())
        .unwrap_or((&bare, 1));
    let text = line(form, gap, |key| canvas.paint(Tone::Label, key));
    let text = if columns(&line(form, gap, |key| key.to_owned())) > canvas.inner() {
        canvas.fit(&line(form, gap, |key| key.to_owned()), canvas.inner())
    } else {
        text
    };
    canvas.with_margin(vec![text]).remove(0)
}

fn line(keys: &[(String, String)], gap: usize, paint: impl Fn(&str) -> String) -> String {
    let pair = |(key, what): &(String, String)| {
        if what.is_empty() { paint(key) } else { format!("{} {what}", paint(key)) }
    };
    keys.iter().map(pair).collect::<Vec<_>>().join(&" ".repeat(gap))
}
