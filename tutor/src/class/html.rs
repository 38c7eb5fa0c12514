//! A counted class as one page for a projector: no script, nothing from outside, light or dark as the viewer likes.

use super::count::{Counted, Row};
use super::discuss::{self, Discussion};
use super::text;
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#111;--paper:#fff;--quiet:#555;--said:#1a5fb4;--shown:#b35900;--line:#bbb}\
@media(prefers-color-scheme:dark){:root{--ink:#f2f2f2;--paper:#101418;--quiet:#b5b5b5;--said:#78aeff;--shown:#ffb066;\
--line:#555}}\
*{box-sizing:border-box}\
body{margin:0;padding:2vw;background:var(--paper);color:var(--ink);font:clamp(18px,2vw,40px)/1.35 system-ui,sans-serif}\
h1{font-size:1.6em;margin:0 0 .4em}h2{font-size:1.25em;margin:0 0 .4em}h3{font-size:1em;margin:.8em 0 .2em}\
section{border-top:3px solid var(--line);padding:1.2em 0;break-inside:avoid}\
p,ul{margin:.3em 0;max-width:60em}.quiet{color:var(--quiet)}\
.chart{display:block;width:100%;max-width:70em;height:auto}\
.chart text{fill:var(--ink);font:20px system-ui,sans-serif}.chart .count{font-weight:600}\
.said{fill:var(--said)}.shown{fill:var(--shown)}\
.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 0}\
table{border-collapse:collapse}th,td{text-align:left;padding:.15em 1em .15em 0;border-bottom:1px solid var(--line)}";

/// Columns of a label before it goes on in the next line.
const LABEL: usize = 38;
/// Height of a line of text in a chart.
const LINE: usize = 26;

/// What is counted of an answer.
struct Side {
    class: &'static str,
    means: &'static str,
    of: fn(&Row) -> usize,
    all: fn(&Counted) -> usize,
}

const SIDES: [Side; 2] = [
    Side { class: "said", means: "predicted", of: |row| row.predicted, all: |counted| counted.predicted },
    Side {
        class: "shown",
        means: "shown by machines",
        of: |row| row.measured,
        all: |counted| counted.measured,
    },
];

/// The page.
pub fn page(learners: usize, questions: &[Counted]) -> String {
    let mut body = format!("<h1>The class</h1>\n<p>{}</p>\n", escaped(&text::head(learners, questions)));
    let Discussion { worth_discussing, remarks } = discuss::of(questions);
    body.push_str("<section>\n");
    if !worth_discussing.is_empty() {
        body.push_str("<h2>Worth discussing</h2>\n<ul>\n");
        worth_discussing
            .iter()
            .for_each(|text| push(&mut body, format_args!("<li>{}</li>\n", escaped(text))));
        body.push_str("</ul>\n");
    }
    remarks.iter().for_each(|text| push(&mut body, format_args!("<p>{}</p>\n", escaped(text))));
    body.push_str("</section>\n");
    questions.iter().for_each(|counted| section(&mut body, counted));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>The class</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes everything");
}

fn section(out: &mut String, counted: &Counted) {
    let title = format!("Lab {}, {}: {}", counted.lab, counted.act, counted.ask);
    push(out, format_args!("<section>\n<h2>{}</h2>\n", escaped(&title)));
    // A side on which nothing was counted is left out: zeros say nothing.
    let sides: Vec<&Side> = SIDES.iter().filter(|side| (side.all)(counted) > 0).collect();
    if !sides.is_empty() {
        let key = |side: &&Side| {
            format!(
                "<svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"{}\" width=\"1\" \
                 height=\"1\"/></svg>{}",
                side.class, side.means
            )
        };
        let keys: Vec<String> = sides.iter().map(key).collect();
        push(out, format_args!("<p>{}</p>\n", keys.join(" &nbsp; ")));
        chart(out, &counted.answers, &sides, &title);
    }
    push(out, format_args!("<p class=\"quiet\">{}</p>\n", escaped(&text::beside(counted))));
    if !counted.surprises.is_empty() {
        out.push_str("<ul>\n");
        let item = |text: &String| format!("<li>{}</li>\n", escaped(text));
        out.extend(counted.surprises.iter().map(item));
        out.push_str("</ul>\n");
    }
    for kind in counted.by_kind.iter().filter(|kind| kind.groups.len() > 1) {
        push(out, format_args!("<h3>By {}</h3>\n<table>\n", escaped(kind.by)));
        push(out, format_args!("<tr><th>{}</th><th>machines</th><th>outcome</th></tr>\n", escaped(kind.by)));
        for group in &kind.groups {
            let (name, outcomes) = (escaped(&group.name), escaped(&group.outcomes));
            push(
                out,
                format_args!("<tr><td>{name}</td><td>{}</td><td>{outcomes}</td></tr>\n", group.machines),
            );
        }
        out.push_str("</table>\n");
    }
    out.push_str("</section>\n");
}

/// A bar an answer for each side, one below the other; each with its count, so that colour is not the only sign.
fn chart(out: &mut String, rows: &[Row], sides: &[&Side], title: &str) {
    let most = rows.iter().flat_map(|row| sides.iter().map(|side| (side.of)(row))).max().unwrap_or(0).max(1);
    let labels: Vec<_> = rows.iter().map(|row| textwrap::wrap(&row.answer, LABEL)).collect();
    let heights: Vec<usize> = labels.iter().map(|lines| lines.len().max(sides.len()) * LINE + 16).collect();
    let height: usize = heights.iter().sum();
    push(
        out,
        format_args!(
            "<svg class=\"chart\" viewBox=\"0 0 1000 {height}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(title)
        ),
    );
    let mut top = 0;
    for ((row, label), height) in rows.iter().zip(labels).zip(heights) {
        for (at, line) in label.iter().enumerate() {
            push(out, format_args!("<text x=\"0\" y=\"{}\">{}</text>", top + 20 + at * LINE, escaped(line)));
        }
        for (at, side) in sides.iter().enumerate() {
            let (class, count) = (side.class, (side.of)(row));
            let (y, width) = (top + at * LINE, 500 * count / most);
            push(
                out,
                format_args!("<rect class=\"{class}\" x=\"410\" y=\"{y}\" width=\"{width}\" height=\"22\"/>"),
            );
            push(
                out,
                format_args!("<text class=\"count\" x=\"{}\" y=\"{}\">{count}</text>\n", 420 + width, y + 18),
            );
        }
        top += height;
    }
    out.push_str("</svg>\n");
}

/// Text that a browser shows as it is, inside an element or an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
