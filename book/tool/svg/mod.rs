//! Figures drawn as SVG that follows the page's theme: colours by class, text in the page's own colour.
//!
//! All are drawn on paper as wide as a phone, so that their words can be read there, and scaled up a little elsewhere.

mod axis;
mod bars;
mod curve;
mod layout;
mod map;
mod timeline;

use crate::generate::html;
use layout::Layout;
use lesson::Figure;

/// A figure below its title, with its words for those who cannot see it, and with the machine and the date. A table has
/// a better form than a drawing: none.
pub fn figure(figure: &Figure, label: &str) -> String {
    let mut layout = Layout::default();
    let title = match figure {
        Figure::Bars(bars) => {
            bars::draw(bars, &mut layout);
            &bars.title
        }
        Figure::Curve(curve) => {
            curve::draw(curve, &mut layout);
            &curve.title
        }
        Figure::ResidencyMap(map) => {
            map::draw(map, &mut layout);
            &map.title
        }
        Figure::Timeline(timeline) => {
            timeline::draw(timeline, &mut layout);
            &timeline.title
        }
        Figure::Table(table) => &table.title,
    };
    let words = tutor::in_words(figure);
    let name = if title.trim().is_empty() { "Figure" } else { title };
    // No empty line: Markdown would end the block there.
    format!(
        "<figure class=\"plot\">\n{}\n<figcaption>{} <span class=\"recorded\">{}</span></figcaption>\n</figure>\n",
        layout.svg(name, &words),
        html(title),
        html(label)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Page, tags};
    use lesson::figure::{Bar, Bars};
    use tutor::Transcript;

    #[test]
    fn what_fell_looks_different_from_what_rose_as_far() {
        let bar = |label: &str, value: f64| Bar {
            label: label.to_owned(),
            value,
            text: value.to_string(),
            note: String::new(),
        };
        let bars = vec![bar("up", 4.0), bar("down", -4.0), bar("still", 0.0)];
        let svg = figure(&Figure::Bars(Bars { title: "moved".to_owned(), bars }), "here");
        let of = |class: &str| {
            let lengths = tags(&svg);
            let mine = lengths.iter().filter(|tag| tag.name == "rect" && tag.get("class") == Some(class));
            mine.map(|tag| tag.get("width").unwrap().to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(of("s0"), of("fell"));
        assert_eq!(of("fell").len(), 1, "{svg}");
    }

    #[test]
    fn every_figure_of_every_lab_is_drawn_inside_its_paper_with_words_and_label() {
        let mut drawn = 0;
        for lab in tutor::labs() {
            let shown = Transcript::of(&lab, lab.recordings[0].1).unwrap();
            let reveals = shown.acts.iter().filter_map(|act| act.reveal.as_ref().ok());
            for it in reveals.flat_map(|reveal| &reveal.figures) {
                if matches!(it, Figure::Table(_)) {
                    continue;
                }
                let svg = figure(it, &shown.label);
                assert!(
                    !svg.trim().contains("\n\n") && !svg.contains("NaN") && svg.contains("RECORDED"),
                    "{svg}"
                );
                let page = Page::of(&svg);
                let drawing = page.tags.iter().find(|tag| tag.name == "svg").expect("a drawing");
                assert_eq!(drawing.get("role"), Some("img"));
                assert!(!drawing.get("aria-label").unwrap_or_default().is_empty());
                for tag in tags(&svg).iter().filter(|tag| tag.name == "rect" && !tag.closes) {
                    let number = |name: &str| tag.get(name).unwrap().parse::<f64>().unwrap();
                    assert!(
                        number("x") >= 0.0 && number("x") + number("width") <= layout::WIDTH + 0.5,
                        "{tag:?}"
                    );
                }
                drawn += 1;
            }
        }
        assert!(drawn > 10, "{drawn}");
    }
}
