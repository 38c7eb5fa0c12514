//! The paper of a curve: a grid of characters, each with its tone.

use crate::render::Canvas;
use crate::render::figure::axis::Range;
use crate::render::theme::Tone;
use lesson::figure::Series;

/// Where points of several series fall together.
pub(super) const OVERLAP: char = '✱';
/// A place on the horizontal axis that the sentence speaks about.
pub(super) const MARK: char = '┊';
/// Between two points of a series.
const PATH: char = '·';
/// From the first quartile to the third.
const SPREAD: char = '│';

#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    glyph: char,
    tone: Tone,
}

/// A grid of characters, row 0 at the top.
pub(super) struct Plot {
    width: usize,
    rows: Vec<Vec<Option<Cell>>>,
    overlaps: bool,
}

impl Plot {
    pub(super) fn new(width: usize, rows: usize) -> Plot {
        Plot { width, rows: vec![vec![None; width]; rows], overlaps: false }
    }

    fn column(&self, place: f64) -> usize {
        (place * (self.width - 1) as f64).round() as usize
    }

    fn row_of(&self, place: f64) -> usize {
        let last = self.rows.len() - 1;
        last - (place * last as f64).round() as usize
    }

    /// A line from top to bottom.
    pub(super) fn mark(&mut self, place: f64) {
        let column = self.column(place);
        for row in &mut self.rows {
            row[column] = Some(Cell { glyph: MARK, tone: Tone::Quiet });
        }
    }

    /// A series: its path, its spreads, its points, each over what came before.
    pub(super) fn series(&mut self, series: &Series, x: &Range, y: &Range, (glyph, tone): (char, Tone)) {
        let points: Vec<_> =
            series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite()).collect();
        for pair in points.windows(2) {
            let (from, to) = (self.column(x.place(pair[0].x)), self.column(x.place(pair[1].x)));
            let (start, end) = (y.place(pair[0].y), y.place(pair[1].y));
            for column in from + 1..to {
                let part = (column - from) as f64 / (to - from) as f64;
                let row = self.row_of(start + (end - start) * part);
                self.put_under(row, column, Cell { glyph: PATH, tone });
            }
        }
        for point in &points {
            let column = self.column(x.place(point.x));
            let (low, high) = (point.low.min(point.y), point.high.max(point.y));
            for row in self.row_of(y.place(high))..=self.row_of(y.place(low)) {
                self.put_under(row, column, Cell { glyph: SPREAD, tone });
            }
        }
        for point in &points {
            let (row, column) = (self.row_of(y.place(point.y)), self.column(x.place(point.x)));
            let other =
                self.rows[row][column].is_some_and(|cell| !is_ground(cell.glyph) && cell.glyph != glyph);
            self.overlaps |= other;
            let cell = if other { Cell { glyph: OVERLAP, tone: Tone::Strong } } else { Cell { glyph, tone } };
            self.rows[row][column] = Some(cell);
        }
    }

    /// Only where nothing heavier stands.
    fn put_under(&mut self, row: usize, column: usize, cell: Cell) {
        let free = match self.rows[row][column] {
            None => true,
            Some(there) if cell.glyph == SPREAD => is_ground(there.glyph),
            Some(_) => false,
        };
        if free {
            self.rows[row][column] = Some(cell);
        }
    }

    /// Whether points of several series fell together.
    pub(super) fn overlaps(&self) -> bool {
        self.overlaps
    }

    /// A row as text.
    pub(super) fn row(&self, row: usize, canvas: &Canvas) -> String {
        let cells = &self.rows[row];
        let end = cells.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
        let mut text = String::new();
        for run in cells[..end].chunk_by(|a, b| a.map(|cell| cell.tone) == b.map(|cell| cell.tone)) {
            let glyphs: String = run.iter().map(|cell| cell.map_or(' ', |cell| cell.glyph)).collect();
            match run[0] {
                Some(cell) => text.push_str(&canvas.paint(cell.tone, &glyphs)),
                None => text.push_str(&glyphs),
            }
        }
        text
    }

    /// The horizontal axis with its ticks.
    pub(super) fn axis(&self, places: impl Iterator<Item = f64>) -> String {
        let mut axis = vec!['─'; self.width];
        places.for_each(|place| axis[self.column(place)] = '┬');
        axis.into_iter().collect()
    }
}

fn is_ground(glyph: char) -> bool {
    matches!(glyph, PATH | SPREAD | MARK)
}
