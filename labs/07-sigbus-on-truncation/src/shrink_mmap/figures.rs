//! How the touch ended, on the disk in detail and everywhere in brief.

use super::{Evidence, Place};
use crate::ended::Ended;
use crate::words::{self, row};
use lesson::Figure;
use lesson::figure::Table;

/// What the deciding touch came to, in all detail.
pub(super) fn how_it_ended(place: &Place) -> Figure {
    let cut = &place.cut;
    let mut rows = vec![row(["the file ends in", &format!("page {}", cut.last_page())])];
    rows.push(row(["the load was in", &format!("page {}", cut.page_of(cut.next_page_at()))]));
    match &place.shrunk.ended {
        Ended::Value(value) => rows.push(row(["it gave", &words::byte(*value)])),
        Ended::Killed(death) => {
            let code = match (death.code, death.code_name()) {
                (Some(code), Some(name)) => format!("{name} ({code})"),
                (Some(code), None) => code.to_string(),
                (None, _) => "unknown".to_owned(),
            };
            let page =
                death.page.map_or_else(|| "outside, or unknown".to_owned(), |page| format!("page {page}"));
            rows.push(row([
                "signal",
                &format!("{} (a shell says {})", death.signal, death.number.saturating_add(128)),
            ]));
            rows.push(row(["si_code", &code]));
            rows.push(row(["si_addr lies in", &page]));
        }
    }
    rows.push(row(["write() of the same byte said", &place.shrunk.system_call_error]));
    Figure::Table(Table {
        title: format!("one byte past the last page of the file, on {}", place.name),
        head: row(["what", "found"]),
        rows,
    })
}

/// What became of the touch everywhere.
pub(super) fn all_places(evidence: &Evidence) -> Figure {
    let row = |place: &Place| {
        row([&place.name, &words::ended(&place.shrunk.ended), &words::ended(&place.never_longer.ended)])
    };
    Figure::Table(Table {
        title: "the first page after the end, by the file's history".to_owned(),
        head: words::row(["file on", "cut by another", "never longer"]),
        rows: evidence.places.iter().map(row).collect(),
    })
}
