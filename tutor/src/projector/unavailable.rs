//! The screen where nothing can be measured at all: why, and the recording of another machine in its place.

use super::input::Event;
use super::keys::Wish;
use super::layout::Frame;
use super::presenter::Presenter;
use super::show::{ANY, notice_pages};
use super::slides;
use crate::exit::Result;
use crate::render;
use lesson::Card;

const OFFER: [(&str, &str); 2] = [("n", "show the recording, labelled"), ("q", "quit")];

/// Say why this lab cannot be measured here. Whether its recording is wanted instead; the end of input wants nothing.
pub fn offer(presenter: &mut dyn Presenter, card: &Card, reason: &str) -> Result<bool> {
    let frame = slides::of_lab(card);
    let text = [
        render::as_sentence(reason),
        "Another machine could: n shows what was recorded there, labelled on each screen.".to_owned(),
    ];
    let mut page = 0;
    loop {
        let layout = presenter.layout();
        let pages = notice_pages("It cannot be measured here", &text, &layout);
        page = page.min(pages.len() - 1);
        let last = page + 1 == pages.len();
        let frame = Frame { lines: pages[page].clone(), ..frame.clone() };
        presenter.draw(&layout.rows(&frame, "", if last { &OFFER } else { &ANY }))?;
        let Event::Key(key) = presenter.next() else { continue };
        match Wish::of(key) {
            Some(Wish::Next) if last => return Ok(true),
            Some(Wish::Next) => page += 1,
            Some(Wish::Back) => page = page.saturating_sub(1),
            Some(Wish::Quit) => return Ok(false),
            Some(Wish::Again | Wish::Hands | Wish::Help) | None => {}
        }
    }
}
