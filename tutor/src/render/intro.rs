//! The first screen of a lab: what you will know afterwards, what it needs, what it will do.

use super::head::{Top, recorded_label};
use super::page::{Block, pages};
use super::text::columns;
use super::theme::Tone;
use super::{Canvas, Page};
use instruments::size::format_bytes;
use lesson::{Card, Setting};

/// The lab's promise, the machine, and its acts as (id, title, seconds).
pub fn intro(
    card: &Card,
    acts: &[(&str, &str, u32)],
    setting: &Setting,
    recorded: Option<&str>,
    canvas: &Canvas,
) -> Vec<Page> {
    let top = Top::of_lab(card, &format!("about {} min", card.minutes), recorded, canvas);
    let width = canvas.text();
    let mut blocks = vec![
        Block::new(canvas.paint_all(Tone::Strong, canvas.wrap(card.title, width))),
        Block::new(canvas.wrap(card.promise, width)),
    ];
    let facts = facts(card, setting, recorded);
    let fact = |(label, text): &(&str, String)| labelled(label, text, canvas);
    blocks.push(Block::new(facts.iter().flat_map(fact).collect()));
    blocks.push(Block::new(act_list(acts, canvas)));
    let rule = "Each act asks first and measures then: what you predict is compared with what this machine does. A guess is as good as an answer; `skip` is fine too.";
    blocks.push(Block::new(canvas.wrap(rule, width)));
    pages(&top, blocks, canvas)
}

/// A paragraph with its label in the left column.
pub(super) fn labelled(label: &str, text: &str, canvas: &Canvas) -> Vec<String> {
    let indent = columns(label).max(7) + 2;
    let mut lines = canvas.hang("", text, indent, canvas.text());
    if let Some(first) = lines.first_mut() {
        let gap = " ".repeat(indent - columns(label));
        *first = format!("{}{gap}{}", canvas.paint(Tone::Label, label), first.trim_start());
    }
    lines
}

fn facts(card: &Card, setting: &Setting, recorded: Option<&str>) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(label) = recorded {
        facts.push((
            "Shown",
            format!("{}. Nothing is measured now.", recorded_label(label).trim_end_matches('.')),
        ));
    }
    facts.push(("Machine", machine(setting)));
    let mut data = format!("a file of {}", format_bytes(setting.plan.size_bytes));
    let has = |name: &str| card.knobs.iter().any(|knob| knob.name == name);
    if has("block") {
        data += &format!(", read in blocks of {}", format_bytes(setting.plan.block_bytes));
    }
    if has("trials") {
        data += &format!(", each figure from {} trials", setting.plan.trials);
    }
    facts.push(("Data", data));
    if !card.needs.is_empty() {
        facts.push(("Needs", card.needs.join(", ")));
    }
    facts
}

/// `Linux 6.18.44, x86_64, 16 GiB of memory; ext4 on vda`.
fn machine(setting: &Setting) -> String {
    let host = &setting.host;
    let memory = format_bytes(host.mem_total_bytes);
    let device = host.device.as_ref().map(|device| format!(" on {}", device.name)).unwrap_or_default();
    format!("Linux {}, {}, {memory} of memory; {}{device}", host.kernel, host.arch, host.filesystem.kind)
}

fn act_list(acts: &[(&str, &str, u32)], canvas: &Canvas) -> Vec<String> {
    let id_width = acts.iter().map(|(id, ..)| columns(id)).max().unwrap_or(0);
    let line = |(at, (id, title, seconds)): (usize, &(&str, &str, u32))| {
        let gap = " ".repeat(id_width.saturating_sub(columns(id)) + 2);
        let text = format!("{title} (about {seconds} s)");
        let label = format!("{}. {id}{gap}", at + 1);
        canvas.hang(&label, &text, columns(&label), canvas.text())
    };
    acts.iter().enumerate().flat_map(line).collect()
}
