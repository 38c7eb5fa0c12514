//! Every figure, in every form.

use super::{COLOUR, FORMS, WIDE, samples, snap};
use crate::render::Canvas;
use crate::render::figure;
use lesson::Figure;
use lesson::figure::{Bar, Bars};

fn all() -> Vec<(&'static str, Figure)> {
    vec![
        ("bars", Figure::Bars(samples::bars())),
        ("bars_many", Figure::Bars(samples::many_bars())),
        ("bars_moved", Figure::Bars(moved())),
        ("table", Figure::Table(samples::table())),
        ("table_doctor", Figure::Table(samples::doctor())),
        ("curve", Figure::Curve(samples::curve())),
        ("curve_several", Figure::Curve(samples::two_curves())),
        ("map", Figure::ResidencyMap(samples::map())),
        ("map_reclaim", Figure::ResidencyMap(samples::reclaim_map())),
        ("map_mincore", Figure::ResidencyMap(samples::mincore_map())),
        ("timeline", Figure::Timeline(samples::timeline())),
    ]
}

/// As far up as down, so that length alone cannot tell them apart.
fn moved() -> Bars {
    let bar = |label: &str, value: f64, text: &str| Bar {
        label: label.into(),
        value,
        text: text.into(),
        note: "idle: within 7 MiB".into(),
    };
    Bars {
        title: "How far each line went".into(),
        bars: vec![
            bar("Cached", 256.0, "+256 MiB"),
            bar("free memory", -256.0, "-256 MiB"),
            bar("available memory", -2.0, "-2 MiB"),
            bar("Buffers", 0.0, "0 B"),
        ],
    }
}

fn drawn(figure: &Figure, canvas: &Canvas) -> String {
    canvas.with_margin(figure::draw(figure, canvas)).join("\n")
}

#[test]
fn figures_without_colour() {
    for (name, figure) in all() {
        for (form, canvas) in FORMS {
            snap(&format!("figure_{name}_{form}"), &drawn(&figure, &canvas));
        }
    }
}

#[test]
fn figures_in_a_narrow_and_in_a_huge_window() {
    for (width, name) in [(40, "40"), (200, "200")] {
        let canvas = Canvas { width, ..WIDE };
        let figures: Vec<String> = all().iter().map(|(_, figure)| drawn(figure, &canvas)).collect();
        snap(&format!("figures_{name}"), &figures.join("\n\n"));
    }
}

#[test]
fn figures_with_colour() {
    let figures: Vec<String> = all().iter().map(|(_, figure)| drawn(figure, &COLOUR)).collect();
    snap("figures_colour", &figures.join("\n\n"));
}
