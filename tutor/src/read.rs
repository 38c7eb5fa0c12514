//! `tutor read`: a chapter of the book in the terminal, offline; page by page where somebody sits there.

mod chapters;

use crate::capabilities::Capabilities;
use crate::exit::{Ending, Result};
use crate::out::Out;
use crate::prompt::Keyboard;
use crate::render;
use crate::session::{Key, Screen};
use chapters::CHAPTERS;
use clap::Args;
use lesson::figure::Table;

/// A chapter of the book
#[derive(Args, Debug)]
#[command(override_usage = "tutor read [OPTIONS] [N|CHAPTER]")]
pub struct ReadArgs {
    /// Number of a lab or name of a chapter; without it, the chapters there are
    #[arg(value_name = "N|CHAPTER")]
    chapter: Option<String>,
}

/// A chapter, as it was made for the terminal.
#[derive(Clone, Copy, Debug)]
struct Chapter {
    name: &'static str,
    title: &'static str,
    lab: Option<u32>,
    text: &'static str,
}

fn chapters() -> impl Iterator<Item = Chapter> {
    CHAPTERS.iter().map(|&(name, title, lab, text)| Chapter { name, title, lab, text })
}

/// `tutor read`
pub fn run(args: &ReadArgs, out: &mut Out) -> Result {
    let look = Capabilities::here();
    match &args.chapter {
        None => out.lines(render::table(&list(), &look.canvas())),
        Some(wanted) => show(find(wanted)?, look, out),
    }
}

fn list() -> Table {
    let row = |chapter: Chapter| {
        let named = chapter.lab.map_or_else(|| chapter.name.to_owned(), |number| number.to_string());
        vec![format!("tutor read {named}"), chapter.title.to_owned()]
    };
    let head = ["type", "chapter"].map(str::to_owned).into();
    Table { title: String::new(), head, rows: chapters().map(row).collect() }
}

/// The chapter of this lab, or of this name.
fn find(wanted: &str) -> Result<Chapter> {
    let number = wanted.parse::<u32>().ok();
    let is_wanted = |chapter: &Chapter| chapter.name == wanted || (number.is_some() && chapter.lab == number);
    chapters().find(is_wanted).ok_or_else(|| {
        Ending::Usage(format!("there is no chapter `{wanted}`; `tutor read` shows what there is"))
    })
}

fn show(chapter: Chapter, look: Capabilities, out: &mut Out) -> Result {
    let mut screen = Screen::new(out, Keyboard::stdin(), look);
    let mut page = 0;
    loop {
        // The window may have another size by now.
        let pages = render::chapter(chapter.title, chapter.text, &screen.canvas());
        page = page.min(pages.len() - 1);
        screen.show(&pages[page])?;
        if !screen.is_paged() {
            if page + 1 == pages.len() {
                return Ok(());
            }
            page += 1;
            continue;
        }
        screen.keys(&[("n", "next"), ("b", "back"), ("q", "quit")])?;
        match turn(&mut screen, page, pages.len())? {
            Some(next) => page = next,
            None => return Ok(()),
        }
    }
}

/// The page to go to; None where the reader leaves.
fn turn(screen: &mut Screen<'_>, page: usize, pages: usize) -> Result<Option<usize>> {
    loop {
        let Some(text) = screen.line()? else { return Ok(None) };
        match Key::read(&text) {
            Some(Key::Quit) => return Ok(None),
            Some(Key::Next) if page + 1 == pages => return Ok(None),
            Some(Key::Next) => return Ok(Some(page + 1)),
            Some(Key::Back) if page > 0 => return Ok(Some(page - 1)),
            Some(Key::Back) => screen.remark("This is the first page.")?,
            _ => match text.parse::<usize>() {
                Ok(wanted) if (1..=pages).contains(&wanted) => return Ok(Some(wanted - 1)),
                _ => screen.remark("Enter goes on, b goes back, a number goes to that page, q ends.")?,
            },
        }
        screen.idle()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::labs;

    #[test]
    fn every_lab_has_its_chapter_and_what_there_is_not_is_refused() {
        for lab in labs() {
            let card = &lab.card;
            let by_number = find(&card.number.to_string()).unwrap();
            assert_eq!((by_number.name, by_number.lab), (card.slug, Some(card.number)));
            assert_eq!(find(card.slug).unwrap().lab, Some(card.number));
            for act in &lab.acts {
                let anchor = format!("{{#{}}}", act.id());
                assert!(by_number.text.contains(&anchor), "{}: no section {anchor}", card.slug);
            }
        }
        let refused = find("99").unwrap_err();
        assert_eq!(refused.code(), 2);
        assert!(refused.to_string().contains("`tutor read`"), "{refused}");
    }

    #[test]
    fn the_list_has_a_line_to_type_for_each_chapter() {
        for row in list().rows {
            let named = row[0].strip_prefix("tutor read ").unwrap();
            assert!(find(named).is_ok(), "{row:?}");
        }
    }
}
