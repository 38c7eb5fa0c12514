//! A figure in block digits, to be read from the back of a room.

/// Rows of a glyph at its smallest.
const ROWS: usize = 5;

/// `text` in blocks of `mark`, each block `scale` columns wide and high; None where a character has no glyph.
pub fn lines(text: &str, scale: usize, mark: char) -> Option<Vec<String>> {
    let glyphs: Vec<[&str; ROWS]> = text.chars().map(glyph).collect::<Option<_>>()?;
    let row = |row: usize| {
        let cells = glyphs.iter().map(|glyph| glyph[row]).collect::<Vec<_>>().join(" ");
        let wide = |cell: char| if cell == '#' { mark } else { ' ' }.to_string().repeat(scale);
        cells.chars().map(wide).collect::<String>().trim_end().to_owned()
    };
    Some((0..ROWS).flat_map(|at| std::iter::repeat_n(row(at), scale)).collect())
}

/// The largest scale, at most three, at which `text` takes no more than `columns` and `rows`; None where there is none.
pub fn scale(text: &str, columns: usize, rows: usize) -> Option<usize> {
    let width = lines(text, 1, '#')?.iter().map(|line| line.chars().count()).max()?;
    (1..=3).rev().find(|scale| width * scale <= columns && ROWS * scale <= rows)
}

/// Digits, the marks of a number, and the letters of options and units.
fn glyph(letter: char) -> Option<[&'static str; ROWS]> {
    Some(match letter {
        '0' => ["#####", "#   #", "#   #", "#   #", "#####"],
        '1' => ["  #  ", " ##  ", "  #  ", "  #  ", " ### "],
        '2' => ["#####", "    #", "#####", "#    ", "#####"],
        '3' => ["#####", "    #", " ####", "    #", "#####"],
        '4' => ["#   #", "#   #", "#####", "    #", "    #"],
        '5' => ["#####", "#    ", "#####", "    #", "#####"],
        '6' => ["#####", "#    ", "#####", "#   #", "#####"],
        '7' => ["#####", "    #", "   # ", "  #  ", "  #  "],
        '8' => ["#####", "#   #", "#####", "#   #", "#####"],
        '9' => ["#####", "#   #", "#####", "    #", "#####"],
        '.' => ["  ", "  ", "  ", "##", "##"],
        ',' => ["  ", "  ", "  ", "##", " #"],
        '%' => ["##  #", "## # ", "  #  ", " # ##", "#  ##"],
        '<' => ["  #", " # ", "#  ", " # ", "  #"],
        '>' => ["#  ", " # ", "  #", " # ", "#  "],
        '+' => ["     ", "  #  ", "#####", "  #  ", "     "],
        '-' => ["   ", "   ", "###", "   ", "   "],
        '?' => ["#### ", "    #", "  ## ", "     ", "  #  "],
        'x' => ["     ", "#   #", " # # ", " # # ", "#   #"],
        'a' => [" ### ", "#   #", "#####", "#   #", "#   #"],
        'b' => ["#### ", "#   #", "#### ", "#   #", "#### "],
        'c' => [" ####", "#    ", "#    ", "#    ", " ####"],
        'd' => ["#### ", "#   #", "#   #", "#   #", "#### "],
        'e' => ["#####", "#    ", "#### ", "#    ", "#####"],
        'B' => ["#### ", "#   #", "#### ", "#   #", "#### "],
        'K' => ["#   #", "#  # ", "###  ", "#  # ", "#   #"],
        'M' => ["#   #", "## ##", "# # #", "#   #", "#   #"],
        'G' => ["#####", "#    ", "#  ##", "#   #", "#####"],
        'T' => ["#####", "  #  ", "  #  ", "  #  ", "  #  "],
        'i' => ["#", " ", "#", "#", "#"],
        ' ' => ["  ", "  ", "  ", "  ", "  "],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_a_rectangle_and_no_two_are_alike() {
        let known: Vec<char> = "0123456789.,%<>+-?xacdeBKMGTi ".chars().collect();
        for (at, letter) in known.iter().enumerate() {
            let drawn = glyph(*letter).expect("it is known");
            assert!(drawn.iter().all(|row| row.chars().count() == drawn[0].chars().count()), "{letter}");
            assert!(known[..at].iter().all(|other| glyph(*other) != Some(drawn)), "{letter}");
        }
    }

    #[test]
    fn a_figure_grows_with_the_window_and_gives_way_to_it() {
        assert_eq!(scale("4.54x", 58, 8), Some(1));
        assert_eq!(scale("4.54x", 98, 18), Some(3));
        assert_eq!(scale("16,777,216", 58, 8), Some(1));
        assert_eq!(scale("16,777,216,000", 58, 8), None);
        assert_eq!(scale("5é", 58, 8), None);
        insta::assert_snapshot!(lines("4.54x", 1, '█').unwrap().join("\n"));
    }
}
