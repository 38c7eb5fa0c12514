//! Figures on screens of their own: whole where that can be, and cut where it cannot, so that each piece can be read.

use super::cut;
use super::deck::{Draft, Part, room_of_several};
use super::paper::Paper;
use crate::render::{self, Canvas};
use lesson::Figure;
use lesson::figure::{Bars, Table};

/// The figure at this place. One that takes several screens has its title on each of them, with a number.
pub fn draft(at: usize, figure: &Figure, paper: &Paper) -> Draft {
    let part = Part::Figure(at);
    if let Some(whole) = whole(figure, paper) {
        return Draft { part, heading: String::new(), pages: vec![whole] };
    }
    let mut figure = figure.clone();
    let heading = match std::mem::take(title(&mut figure)) {
        title if title.is_empty() => "What was measured".to_owned(),
        title => title,
    };
    let room = room_of_several(&heading, paper);
    Draft { part, pages: pieces(&figure, room, paper), heading }
}

fn title(figure: &mut Figure) -> &mut String {
    match figure {
        Figure::Bars(it) => &mut it.title,
        Figure::Table(it) => &mut it.title,
        Figure::Curve(it) => &mut it.title,
        Figure::ResidencyMap(it) => &mut it.title,
        Figure::Timeline(it) => &mut it.title,
    }
}

fn whole(figure: &Figure, paper: &Paper) -> Option<Vec<String>> {
    // A curve takes what height there is: it may take less.
    let shorter = (0..=8).map(|less| Canvas { height: paper.canvas().height - less, ..paper.canvas() });
    shorter.map(|canvas| render::drawn(figure, &canvas)).find(|lines| lines.len() <= paper.body())
}

fn pieces(figure: &Figure, room: usize, paper: &Paper) -> Vec<Vec<String>> {
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
