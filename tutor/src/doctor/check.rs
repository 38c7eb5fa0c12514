//! The machine in one line, for whoever has just arrived: what it is, and whether the labs can run.

use crate::render;
use crate::setting::{self, Room, Wanted};
use instruments::Host;
use instruments::scratch::Scratch;
use lesson::Lab;

/// Look, and say so.
pub fn in_one_line(labs: &[Lab]) -> String {
    let found = Scratch::create(None).and_then(|scratch| {
        let host = Host::probe(scratch.path())?;
        Ok((host, scratch.free_bytes()?))
    });
    match found {
        Ok((host, free_bytes)) => line(&host, free_bytes, labs),
        Err(_) => "no place for scratch files was found; `tutor doctor` says what to do".to_owned(),
    }
}

fn line(host: &Host, free_bytes: u64, labs: &[Lab]) -> String {
    let room = Room::of(host, free_bytes);
    let can =
        labs.iter().filter(|lab| setting::plan(&lab.card, &Wanted::default(), &room, "").is_ok()).count();
    let machine = render::machine(host);
    if can == labs.len() {
        format!("{machine}. It has room for all labs; `tutor doctor` says more.")
    } else {
        format!("{machine}. It has room for {can} of {} labs: `tutor doctor` says why.", labs.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fake;

    #[test]
    fn it_says_whether_there_is_room() {
        let host = Host { mem_available_bytes: 1 << 30, ..fake::setting().host };
        let said = |free| line(&host, free, &[fake::lab()]);
        assert!(said(1 << 30).contains("Linux 6.18.0") && said(1 << 30).contains("room for all labs"));
        assert!(said(0).contains("room for 0 of 1 labs: `tutor doctor`"), "{}", said(0));
    }
}
