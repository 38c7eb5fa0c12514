//! Bars: the label and the exact value above each, so that length says only how much.

use super::paper::{Hold, LINE, Paper, WIDTH, width};
use lesson::figure::Bars;

const THICK: f64 = 12.0;

/// One below the other.
pub fn draw(bars: &Bars, paper: &mut Paper) {
    for bar in &bars.bars {
        let share = bars.share(bar);
        if width(&bar.label) + width(&bar.text) + 12.0 <= WIDTH {
            let y = paper.bottom + LINE - 2.0;
            paper.text(0.0, y, Hold::Start, "strong", &bar.label);
            paper.text(WIDTH, y, Hold::End, "", &bar.text);
        } else {
            paper.paragraph(0.0, "strong", &bar.label);
            paper.paragraph(0.0, "", &bar.text);
        }
        let y = paper.bottom + 1.0;
        paper.rect(0.0, y, WIDTH, THICK, "ground");
        if share != 0.0 {
            // What fell is hollow: its sign is not the only signal.
            let class = if share < 0.0 { "fell" } else { "s0" };
            paper.rect(0.0, y, (share.abs() * WIDTH).max(1.5), THICK, class);
        }
        if !bar.note.is_empty() {
            paper.paragraph(0.0, "quiet", &bar.note);
        }
        paper.bottom += 6.0;
    }
}
