//! Bars: the label and the exact value above each, so that length says only how much.

use super::layout::{Hold, LINE, Layout, WIDTH, width};
use lesson::figure::Bars;

const THICK: f64 = 12.0;

/// One below the other.
pub fn draw(bars: &Bars, layout: &mut Layout) {
    for bar in &bars.bars {
        let share = bars.share(bar);
        if width(&bar.label) + width(&bar.text) + 12.0 <= WIDTH {
            let y = layout.bottom + LINE - 2.0;
            layout.text(0.0, y, Hold::Start, "strong", &bar.label);
            layout.text(WIDTH, y, Hold::End, "", &bar.text);
        } else {
            layout.paragraph(0.0, "strong", &bar.label);
            layout.paragraph(0.0, "", &bar.text);
        }
        let y = layout.bottom + 1.0;
        layout.rect(0.0, y, WIDTH, THICK, "ground");
        if share != 0.0 {
            // What fell is hollow: its sign is not the only signal.
            let class = if share < 0.0 { "fell" } else { "s0" };
            layout.rect(0.0, y, (share.abs() * WIDTH).max(1.5), THICK, class);
        }
        if !bar.note.is_empty() {
            layout.paragraph(0.0, "quiet", &bar.note);
        }
        layout.bottom += 6.0;
    }
}
