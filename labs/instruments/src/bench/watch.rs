//! Look at a file while something is done to it.

use crate::residency::{self, Bucket};
use crate::residency_timeline::{Camera, ResidencyTimeline};
use crate::{Reading, Unavailable, open};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Ranges of a map, one call of cachestat(2) each. A power of two, so that most files have equal ones.
const BUCKETS: usize = 128;

/// From one frame to the next: a little more than 12 a second.
const FRAME: Duration = Duration::from_millis(80);

/// Do `work` on a thread of its own, and meanwhile take and `show` frames of the file `path` as one of `size_bytes`. It is
/// looked up for each frame, since the work may make it, or replace it.
pub(super) fn watch<T: Send>(
    path: &Path,
    size_bytes: u64,
    work: impl FnOnce() -> Result<T, Unavailable> + Send,
    mut show: impl FnMut(&[Bucket]),
) -> Result<(T, ResidencyTimeline), Unavailable> {
    let started = Instant::now();
    let since = |moment: Instant| u64::try_from((moment - started).as_nanos()).unwrap_or(u64::MAX);
    let mut camera = Camera::new(size_bytes);
    let mut take = |camera: &mut Camera| {
        let at = Instant::now();
        if let Some(buckets) = look(path, size_bytes) {
            show(&buckets);
            camera.take(since(at), buckets);
        }
    };
    take(&mut camera);
    let done = thread::scope(|scope| {
        let (working, ended) = channel::<()>();
        let worker = thread::Builder::new().name("work".into()).spawn_scoped(scope, move || {
            let _working = working;
            work()
        });
        let worker = worker.map_err(|why| Unavailable::failed("start a thread", why, ""))?;
        let mut next = FRAME;
        while ended.recv_timeout(next.saturating_sub(started.elapsed())) == Err(RecvTimeoutError::Timeout) {
            take(&mut camera);
            next = started.elapsed().max(next) + FRAME;
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    let elapsed_ns = since(Instant::now());
    take(&mut camera);
    Ok((done, camera.end(elapsed_ns)))
}

/// One frame; None where nobody can know. A file that is not there has no pages.
fn look(path: &Path, size_bytes: u64) -> Option<Vec<Bucket>> {
    if !path.exists() {
        return Some(residency::map_of_nothing(size_bytes, BUCKETS));
    }
    match residency::map_up_to(&open::regular(path).ok()?, size_bytes, BUCKETS) {
        Ok(Reading::Known(buckets)) => Some(buckets),
        Ok(Reading::Unknown(_)) | Err(_) => None,
    }
}
