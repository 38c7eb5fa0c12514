//! The palette of a projector: explicit colours of high contrast, dark on light or light on dark, in place of the terminal's
//! own, which a projector may wash out.

use console::{AnsiCodeIterator, measure_text_width};

/// Which colours a screen has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
    /// None: NO_COLOR.
    Bare,
    /// Not a single escape: a terminal that knows none.
    Dumb,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Where we are.
    Head,
    /// What is shown.
    Body,
    /// The keys.
    Foot,
}

impl Palette {
    /// Whether colours are used.
    pub fn colours(self) -> bool {
        matches!(self, Palette::Light | Palette::Dark)
    }

    /// What stands before every line of this band: attributes off, then text and ground of the 256 colours that every
    /// terminal emulator has had for decades.
    pub fn base(self, band: Band) -> &'static str {
        match (self, band) {
            (Palette::Light, Band::Head) => "\x1b[0;1;38;5;231;48;5;18m",
            (Palette::Light, Band::Body) => "\x1b[0;38;5;16;48;5;231m",
            (Palette::Light, Band::Foot) => "\x1b[0;38;5;16;48;5;252m",
            (Palette::Dark, Band::Head) => "\x1b[0;1;38;5;16;48;5;153m",
            (Palette::Dark, Band::Body) => "\x1b[0;38;5;231;48;5;16m",
            (Palette::Dark, Band::Foot) => "\x1b[0;38;5;231;48;5;238m",
            (Palette::Bare | Palette::Dumb, _) => "",
        }
    }

    /// The renderers' colour of this code, on this ground.
    fn tone(self, code: &str) -> &'static str {
        match (self, code) {
            (Palette::Light, "1") => ";1",
            (Palette::Light, "2") => ";38;5;239",
            (Palette::Light, "36") => ";38;5;19",
            (Palette::Light, "32") => ";38;5;22",
            (Palette::Light, "35") => ";38;5;89",
            (Palette::Dark, "1") => ";1",
            (Palette::Dark, "2") => ";38;5;250",
            (Palette::Dark, "36") => ";38;5;123",
            (Palette::Dark, "32") => ";38;5;120",
            (Palette::Dark, "35") => ";38;5;219",
            _ => "",
        }
    }

    /// A whole row of `columns`: the line in these colours, and blanks to its end. What is wider is cut: a row never
    /// runs into the next one.
    pub fn row(self, line: &str, columns: usize, band: Band) -> String {
        let line = console::truncate_str(line, columns, "");
        let gap = " ".repeat(columns.saturating_sub(measure_text_width(&line)));
        if !self.colours() {
            return console::strip_ansi_codes(&line).into_owned() + &gap;
        }
        let base = self.base(band);
        let mut row = base.to_owned();
        for (piece, is_code) in AnsiCodeIterator::new(&line) {
            match piece.strip_prefix("\x1b[").and_then(|code| code.strip_suffix('m')) {
                Some("0" | "") if is_code => row.push_str(base),
                Some(codes) if is_code => {
                    let tones: String = codes.split(';').map(|code| self.tone(code)).collect();
                    row.push_str(&format!("\x1b[{}m", tones.trim_start_matches(';')));
                }
                _ => row.push_str(piece),
            }
        }
        row + base + &gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Tone, paint};

    #[test]
    fn every_tone_of_the_renderers_has_a_colour_here() {
        for tone in [Tone::Strong, Tone::Quiet, Tone::Label, Tone::Good, Tone::Near, Tone::Alert, Tone::Ink] {
            for palette in [Palette::Light, Palette::Dark] {
                let row = palette.row(&paint(true, tone, "word"), 10, Band::Body);
                let base = palette.base(Band::Body);
                assert!(row.starts_with(base) && row.ends_with(&format!("{base}      ")), "{row:?}");
                let coloured = row[base.len()..].split_once('m').unwrap().0.to_owned();
                assert!(coloured.len() > 2, "{tone:?} has no colour: {row:?}");
                assert!(!row.contains("\x1b[0m"), "the ground is lost: {row:?}");
            }
        }
    }

    #[test]
    fn without_colours_there_is_no_escape_and_a_row_is_as_wide_as_it_is() {
        for palette in [Palette::Bare, Palette::Dumb] {
            assert_eq!(palette.row(&paint(true, Tone::Good, "word"), 6, Band::Head), "word  ");
        }
        assert_eq!(Palette::Bare.row("too wide", 5, Band::Body), "too w");
        assert_eq!(measure_text_width(&Palette::Light.row("█ and so on", 5, Band::Body)), 5);
    }

    /// Contrast by the web's rule (WCAG 2.1, 1.4.6): 7 to 1 can be read from afar.
    #[test]
    fn the_contrast_is_high() {
        for palette in [Palette::Light, Palette::Dark] {
            for band in [Band::Head, Band::Body, Band::Foot] {
                let (text, ground) = colours(palette.base(band));
                assert!(contrast(text, ground) >= 7.0, "{palette:?} {band:?}: {}", contrast(text, ground));
                for code in ["2", "36", "32", "35"] {
                    let (tone, _) = colours(&format!("{}m", palette.tone(code)));
                    let found = contrast(tone, ground);
                    assert!(band != Band::Body || found >= 7.0, "{palette:?} {code}: {found}");
                }
            }
        }
    }

    fn colours(code: &str) -> (u8, u8) {
        let number = |mark: &str| {
            let rest = code.split_once(mark).map_or("0", |(_, rest)| rest);
            rest.split([';', 'm']).next().unwrap().parse().unwrap()
        };
        (number("38;5;"), number("48;5;"))
    }

    /// The colour cube and the greys of xterm's 256 colours.
    fn luminance(colour: u8) -> f64 {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        let rgb = match colour {
            16..=231 => [(colour - 16) / 36, (colour - 16) / 6 % 6, (colour - 16) % 6].map(level),
            _ => [8 + 10 * (colour - 232); 3],
        };
        let linear = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
    }

    fn contrast(a: u8, b: u8) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }
}
