//! Timelines: each span at its place on a common scale.

use super::layout::{Hold, LINE, Layout, WIDTH, width};
use instruments::size::format_ns;
use lesson::figure::{Span, Timeline};

const THICK: f64 = 10.0;

/// One span below the other, with what it is above it; below all of them the scale.
pub fn draw(timeline: &Timeline, layout: &mut Layout) {
    let end = timeline.spans.iter().map(|span| span.start_ns.saturating_add(span.length_ns)).max();
    let end = end.unwrap_or(0).max(1);
    for span in &timeline.spans {
        let told = told(span);
        if width(&span.label) + width(&told) + 12.0 <= WIDTH {
            let y = layout.bottom + LINE - 2.0;
            layout.text(0.0, y, Hold::Start, "strong", &span.label);
            layout.text(WIDTH, y, Hold::End, "", &told);
        } else {
            layout.paragraph(0.0, "strong", &span.label);
            layout.paragraph(0.0, "", &told);
        }
        let y = layout.bottom + 1.0;
        let x = |ns: u64| ns as f64 / end as f64 * WIDTH;
        layout.rect(0.0, y, WIDTH, THICK, "ground");
        let start = x(span.start_ns).min(WIDTH - 1.5);
        layout.rect(start, y, x(span.length_ns).max(1.5).min(WIDTH - start), THICK, "s0");
        if !span.note.is_empty() {
            layout.paragraph(0.0, "quiet", &span.note);
        }
        layout.bottom += 6.0;
    }
    let y = layout.bottom + LINE - 4.0;
    layout.text(0.0, y, Hold::Start, "quiet", "0");
    layout.text(WIDTH, y, Hold::End, "quiet", &format_ns(end as f64));
}

fn told(span: &Span) -> String {
    if span.length_ns == 0 {
        format!("at {}", format_ns(span.start_ns as f64))
    } else {
        format_ns(span.length_ns as f64)
    }
}
