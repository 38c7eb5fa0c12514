//! A chapter's Markdown on a terminal or as plain text.

use super::figure;
use super::head::Top;
use super::page::{Block, pages};
use super::theme::Tone;
use super::{Canvas, Page};
use lesson::figure::Table;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A heading stands on the same page as this many lines of what follows it.
const KEPT_TOGETHER: usize = 10;

/// The pages of a chapter.
pub fn chapter(title: &str, text: &str, canvas: &Canvas) -> Vec<Page> {
    let top = Top::of_chapter(title, canvas);
    pages(&top, blocks(text, canvas), canvas)
}

fn blocks(text: &str, canvas: &Canvas) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut writer = Writer::new(canvas);
    for event in Parser::new_ext(text, options) {
        writer.take(event);
    }
    writer.end()
}

/// What was read and not yet written.
struct Writer<'a> {
    canvas: &'a Canvas,
    blocks: Vec<Block>,
    heading: Vec<String>,
    text: String,
    link: Option<String>,
    code: Option<bool>,
    quote: bool,
    items: Vec<Item>,
    follows_entry: bool,
    table: Option<Table>,
    row: Vec<String>,
}

/// A list that is open: the next number where it is numbered; whether its entry's mark was written.
struct Item {
    number: Option<u64>,
    marked: bool,
}

impl<'a> Writer<'a> {
    fn new(canvas: &'a Canvas) -> Writer<'a> {
        Writer {
            canvas,
            blocks: Vec::new(),
            heading: Vec::new(),
            text: String::new(),
            link: None,
            code: None,
            quote: false,
            items: Vec::new(),
            follows_entry: false,
            table: None,
            row: Vec::new(),
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => self.text.push_str(&text),
            Event::Code(code) => self.text.push_str(&format!("`{code}`")),
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::Rule => self.write(vec!["-".repeat(3)]),
            // What only a browser needs was taken out when the chapter was made.
            Event::Html(_) | Event::InlineHtml(_) => {}
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text.push_str(&text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { dest_url, .. } => self.link = Some(dest_url.into_string()),
            Tag::CodeBlock(kind) => {
                self.paragraph();
                self.code = Some(matches!(kind, CodeBlockKind::Fenced(name) if &*name == "text"));
            }
            Tag::BlockQuote(_) => self.quote = true,
            Tag::List(number) => {
                self.paragraph();
                self.items.push(Item { number, marked: true });
            }
            Tag::Item => {
                if let Some(item) = self.items.last_mut() {
                    item.marked = false;
                }
            }
            Tag::Table(_) => {
                self.table = Some(Table { title: String::new(), head: Vec::new(), rows: Vec::new() });
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let text = std::mem::take(&mut self.text);
                let lines = self.canvas.wrap(&text, self.canvas.text());
                self.flush_heading();
                self.heading = self.canvas.paint_all(Tone::Strong, lines);
            }
            TagEnd::Paragraph | TagEnd::Item => self.paragraph(),
            TagEnd::Link => {
                // Elsewhere is where the reader has to go by hand; inside of the book the chapter's name is enough.
                if let Some(link) = self.link.take().filter(|link| link.starts_with("http")) {
                    self.text.push_str(&format!(" <{link}>"));
                }
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::BlockQuote(_) => self.quote = false,
            TagEnd::List(_) => {
                self.items.pop();
                self.follows_entry = !self.items.is_empty();
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.text).trim().to_owned()),
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.head = std::mem::take(&mut self.row);
                }
            }
            TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(std::mem::take(&mut self.row));
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.write(figure::table_lines(&table, self.canvas));
                }
            }
            _ => {}
        }
    }

    /// Running text: by itself, behind the mark of its list, or quoted.
    fn paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        let (canvas, width) = (self.canvas, self.canvas.text());
        let depth = self.items.len();
        let Some(item) = self.items.last_mut() else {
            let lines = if self.quote { canvas.hang("", &text, 4, width) } else { canvas.wrap(&text, width) };
            return self.write(lines);
        };
        let indent = 2 * depth.saturating_sub(1);
        let mark = match (&mut item.number, item.marked) {
            (_, true) => String::new(),
            (Some(number), false) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            (None, false) => "- ".to_owned(),
        };
        let first = !item.marked;
        item.marked = true;
        let hang = if item.number.is_some() { 3 } else { 2 };
        let label = format!("{}{mark}", " ".repeat(indent));
        let lines = canvas.hang(&label, &text, (indent + hang).max(label.len()), width);
        if first { self.write_entry(lines) } else { self.write(lines) }
    }

    fn code_block(&mut self) {
        let text = std::mem::take(&mut self.text);
        let is_output = self.code.take().unwrap_or(false);
        let canvas = self.canvas;
        let indent = if is_output { 0 } else { 2 };
        let line = |line: &str| -> Vec<String> {
            if let Some(command) = line.strip_prefix("$ ") {
                return canvas.command(command, indent, canvas.inner());
            }
            canvas.folded(&format!("{}{line}", " ".repeat(indent)), canvas.inner())
        };
        let lines = text.lines().flat_map(line).collect();
        self.write(lines);
    }

    /// Below the heading that waits for it, where there is one.
    fn write(&mut self, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        if self.heading.is_empty() {
            return self.blocks.push(Block::new(lines));
        }
        let mut together = std::mem::take(&mut self.heading);
        together.push(String::new());
        let kept = lines.len().min(KEPT_TOGETHER);
        together.extend_from_slice(&lines[..kept]);
        self.blocks.push(Block::new(together));
        if kept < lines.len() {
            self.blocks.push(Block::tight(lines[kept..].to_vec(), None));
        }
    }

    /// Directly below the entry before; the first of a list has an empty line above it.
    fn write_entry(&mut self, lines: Vec<String>) {
        if std::mem::replace(&mut self.follows_entry, true) && self.heading.is_empty() {
            self.blocks.push(Block::tight(lines, None));
        } else {
            self.write(lines);
        }
    }

    fn flush_heading(&mut self) {
        if !self.heading.is_empty() {
            let lines = std::mem::take(&mut self.heading);
            self.blocks.push(Block::new(lines));
        }
    }

    fn end(mut self) -> Vec<Block> {
        self.paragraph();
        self.flush_heading();
        self.blocks
    }
}
