//! Text as Markdown: what a lab says stands there as it is said.

/// `text` with every character that Markdown or HTML would take for itself escaped, but for code between backticks.
pub fn escaped(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd mark is no pair: it is a mark.
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        0 => plain(part),
        _ => format!("`{}`", part.replace('|', "\\|")),
    };
    parts.iter().enumerate().map(part).collect()
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '*' | '_' | '`' | '[' | ']' | '|' | '\\' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// `text` for an attribute or a text of HTML.
pub fn html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A block of lines to be typed.
pub fn typed<L: AsRef<str>>(lines: &[L]) -> String {
    let lines: String = lines.iter().map(|line| format!("$ {}\n", line.as_ref())).collect();
    format!("```console\n{lines}```\n")
}

/// A block of output.
pub fn output(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end())
}

/// A table.
pub fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = line(head) + &format!("|{}\n", "---|".repeat(head.len()));
    rows.iter().for_each(|row| out += &line(row));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_as_they_are_and_code_stays_code() {
        assert_eq!(escaped("a_b <c> | `d_e|f`"), "a\\_b &lt;c&gt; \\| `d_e\\|f`");
        assert_eq!(escaped("it`s odd"), "it\\`s odd");
    }
}
