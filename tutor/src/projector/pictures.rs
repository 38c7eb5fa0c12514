//! Figures on screens of their own: whole where that can be, and cut where it cannot, so that each piece can be read.

use super::layout::Layout;
use super::paginate;
use super::slides::{Draft, Part, room_of_several};
use crate::render::{self, Canvas};
use lesson::Figure;
use lesson::figure::{Bars, Table};

/// The figure at this place. One that takes several screens has its title on each of them, with a number.
pub fn draft(at: usize, figure: &Figure, layout: &Layout) -> Draft {
    let part = Part::Figure(at);
    if let Some(whole) = whole(figure, layout) {
        return Draft { part, heading: String::new(), pages: vec![whole] };
    }
    let mut figure = figure.clone();
    let heading = match std::mem::take(title(&mut figure)) {
        title if title.is_empty() => "What was measured".to_owned(),
        title => title,
    };
    let room = room_of_several(&heading, layout);
    Draft { part, pages: pieces(&figure, room, layout), heading }
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

fn whole(figure: &Figure, layout: &Layout) -> Option<Vec<String>> {
    // A curve takes what height there is: it may take less.
    let shorter = (0..=8).map(|less| Canvas { height: layout.canvas().height - less, ..layout.canvas() });
    shorter.map(|canvas| render::drawn(figure, &canvas)).find(|lines| lines.len() <= layout.body())
}

fn pieces(figure: &Figure, room: usize, layout: &Layout) -> Vec<Vec<String>> {
    let drawn = |figure: &Figure| render::drawn(figure, &layout.canvas());
    match figure {
        Figure::Table(table) => {
            let piece =
                |rows: &[Vec<String>]| drawn(&Figure::Table(Table { rows: rows.to_vec(), ..table.clone() }));
            let pieces = paginate::pieces(&table.rows, |rows| piece(rows).len() <= room);
            pieces.iter().flat_map(|rows| paginate::pages(&[piece(rows)], room)).collect()
        }
        Figure::Bars(bars) => {
            let piece = |some: &[lesson::figure::Bar]| {
                drawn(&Figure::Bars(Bars { bars: some.to_vec(), ..bars.clone() }))
            };
            let pieces = paginate::pieces(&bars.bars, |some| piece(some).len() <= room);
            pieces.iter().flat_map(|some| paginate::pages(&[piece(some)], room)).collect()
        }
        // The picture first, then what explains it.
        Figure::Curve(_) | Figure::ResidencyMap(_) | Figure::Timeline(_) => {
            let lines = drawn(figure);
            lines.chunks(room).map(<[String]>::to_vec).collect()
        }
    }
}
