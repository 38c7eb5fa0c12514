//! The first screen of a lab: what you will know afterwards, what it needs, what it will do.

use super::head::Top;
use super::page::{Block, pages};
use super::text::columns;
use super::{Canvas, Page};
use instruments::Host;
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
    let mut blocks = vec![Block::new(canvas.wrap(card.promise, width))];
    let facts = facts(card, setting);
    blocks.push(Block::new(facts.iter().flat_map(|(label, text)| canvas.labelled(label, text, 9)).collect()));
    blocks.push(Block::new(act_list(acts, recorded.is_some(), canvas)));
    let rule = if recorded.is_some() {
        "Each act asks first, then shows what was recorded. A guess will do."
    } else {
        "Each act asks first and measures then. A guess will do, and so will skip."
    };
    blocks.push(Block::new(canvas.wrap(rule, width)));
    pages(&top, blocks, canvas)
}

fn facts(card: &Card, setting: &Setting) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Machine", machine(&setting.host))];
    let mut data = format!("a file of {}", format_bytes(setting.plan.size_bytes));
    let has = |name: &str| card.knob(name).is_some();
    if has("block") {
        data += &format!(", in blocks of {}", format_bytes(setting.plan.block_bytes));
    }
    if has("trials") {
        data += &format!(
            ", {} trials a figure (± is half the distance between their quartiles)",
            setting.plan.trials
        );
    }
    facts.push(("Data", data));
    if !card.needs.is_empty() {
        facts.push(("Needs", card.needs_in_words()));
    }
    facts
}

/// `Linux 6.18.44, x86_64, 16 GiB of memory; ext4 on vda`.
pub fn machine(host: &Host) -> String {
    let memory = format_bytes(host.mem_total_bytes);
    let device = host.device.as_ref().map(|device| format!(" on {}", device.name)).unwrap_or_default();
    format!("Linux {}, {}, {memory} of memory; {}{device}", host.kernel, host.arch, host.filesystem.kind)
}

fn act_list(acts: &[(&str, &str, u32)], recorded: bool, canvas: &Canvas) -> Vec<String> {
    let id_width = acts.iter().map(|(id, ..)| columns(id)).max().unwrap_or(0);
    let line = |(at, (id, title, seconds)): (usize, &(&str, &str, u32))| {
        let gap = " ".repeat(id_width.saturating_sub(columns(id)) + 2);
        let text = if recorded { (*title).to_owned() } else { format!("{title} (about {seconds} s)") };
        let label = format!("{}. {id}{gap}", at + 1);
        canvas.hang(&label, &text, columns(&label), canvas.text())
    };
    acts.iter().enumerate().flat_map(line).collect()
}
