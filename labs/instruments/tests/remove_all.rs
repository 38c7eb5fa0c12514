//! A signal thread removes all scratch directories in the middle of anything. Alone in its process: nothing can be
//! made afterwards.

use instruments::Unavailable;
use instruments::scratch::{Scratch, remove_all};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn nothing_is_left_while_others_write_and_all_are_refused() {
    let create = || Scratch::create(None);
    let scratch = match create() {
        Ok(scratch) => scratch,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let others = [create().unwrap(), create().unwrap()];
    let paths: Vec<_> = others.iter().chain([&scratch]).map(|scratch| scratch.path().to_owned()).collect();
    let written = AtomicU64::new(0);

    thread::scope(|scope| {
        let large = scope.spawn(|| {
            scratch.write("large", 1 << 30, &mut |sum| {
                written.store(sum, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(1));
            })
        });
        let many = scope.spawn(|| {
            (0..500_000).find_map(|number| others[0].write(&number.to_string(), 10, &mut |_| ()).err())
        });
        let makes = scope.spawn(|| {
            loop {
                if let Err(why) = create() {
                    return why;
                }
            }
        });
        // A workload that knows nothing of the registry. It ends by itself if nobody stops it, so that a failure here
        // cannot fill the disk.
        let strays = scope.spawn(|| {
            let path = others[1].path();
            (0..500_000).find(|number| std::fs::write(path.join(number.to_string()), "x").is_err())
        });
        while written.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        remove_all();
        assert!(paths.iter().all(|path| !path.exists()));
        assert_eq!(large.join().unwrap(), Err(Unavailable::Interrupted));
        assert_eq!(many.join().unwrap(), Some(Unavailable::Interrupted));
        assert_eq!(makes.join().unwrap(), Unavailable::Interrupted);
        assert!(strays.join().unwrap().is_some());
    });
    remove_all();
    assert_eq!(create().unwrap_err(), Unavailable::Interrupted);
    assert_eq!(scratch.remove("large"), Err(Unavailable::Interrupted));
    drop((scratch, others));
    assert!(paths.iter().all(|path| !path.exists()));
    let left = paths[0].parent().unwrap().read_dir().unwrap().flatten().filter(|entry| {
        let prefix = format!("page-cache-tutor-{}-", std::process::id());
        entry.file_name().to_string_lossy().starts_with(&prefix)
    });
    assert_eq!(left.count(), 0);
}
