//! A caller that ignores SIGCHLD would never see its children die. In a process of its own, since this is for all of it.

use instruments::Unavailable;
use instruments::subject::{Exit, Watch, run};
use std::path::Path;

#[test]
fn a_child_is_seen_to_end_though_sigchld_was_ignored() {
    for watch in [Watch::Nothing, Watch::Death, Watch::Calls] {
        // SAFETY: ignoring a signal runs no handler.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
        let (outcome, _) = match run(Path::new("/bin/false"), &[], watch) {
            Err(why @ Unavailable::Lacking { .. }) => {
                println!("skipped {watch:?}: {why}");
                continue;
            }
            run => run.expect("it runs"),
        };
        assert_eq!(outcome.exit, Exit::Code(1), "{watch:?}");
        assert!(outcome.usage.minor_faults > 0, "its usage was read: {watch:?}");
    }
}
