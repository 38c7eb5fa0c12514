//! Figures on screens of their own: whole where that can be, and cut where it cannot, so that each piece can be read.

use super::cut;
use super::deck::{Draft, Part};
use super::paper::Paper;
use crate::render::{self, Canvas};
use lesson::Figure;
use lesson::figure::{Bars, Table};

/// The figure at this place.
pub fn draft(at: usize, figure: &Figure, paper: &Paper) -> Draft {
    Draft { part: Part::Figure(at), heading: String::new(), pages: pages(figure, paper) }
}

fn pages(figure: &Figure, paper: &Paper) -> Vec<Vec<String>> {
    let room = paper.body();
    // A curve takes what height there is: it may take less.
    let shorter = (0..=8).map(|less| Canvas { height: paper.canvas().height - less, ..paper.canvas() });
    if let Some(whole) =
        shorter.map(|canvas| render::drawn(figure, &canvas)).find(|lines| lines.len() <= room)
    {
        return vec![whole];
    }
    let drawn = |figure: &Figure| render::drawn(figure, &paper.canvas());
    match figure {
        Figure::Table(table) => {
            let piece =
                |rows: &[Vec<String>]| drawn(&Figure::Table(Table { rows: rows.to_vec(), ..table.clone() }));
            let pieces = cut::pieces(&table.rows, |rows| piece(rows).len() <= room);
            pieces.iter().flat_map(|rows| cut::pages(&[piece(rows)], room)).collect()
        }
        Figure::Bars(bars) => {
            let piece = |some: &[lesson::figure::Bar]| {
                drawn(&Figure::Bars(Bars { bars: some.to_vec(), ..bars.clone() }))
            };
            let pieces = cut::pieces(&bars.bars, |some| piece(some).len() <= room);
            pieces.iter().flat_map(|some| cut::pages(&[piece(some)], room)).collect()
        }
        // The picture first, then what explains it.
        Figure::Curve(_) | Figure::ResidencyMap(_) | Figure::Timeline(_) => {
            let lines = drawn(figure);
            lines.chunks(room).map(<[String]>::to_vec).collect()
        }
    }
}
