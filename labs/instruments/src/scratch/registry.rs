//! The directories that this process holds, so that a signal thread can remove them in the middle of anything.
//!
//! The lock is held for short steps only: while a directory is made, while a name is put into it, while it is removed.
//! Whoever comes after [`remove_all`] finds the registry closed; data that is still being written then goes to a file
//! without a name, and ends with the process.

use super::owned::Owned;
use crate::Unavailable;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct Registry {
    closed: bool,
    held: Vec<Arc<Owned>>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { closed: false, held: Vec::new() });

/// A panic in the middle of a step leaves nothing half done that a later removal would stumble over.
fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Make a directory and remember it, in one step.
pub(super) fn hold<E>(make: impl FnOnce() -> Result<Owned, E>) -> Result<Result<Arc<Owned>, E>, Unavailable> {
    let mut registry = lock();
    if registry.closed {
        return Err(Unavailable::Interrupted);
    }
    Ok(make().map(|owned| {
        let owned = Arc::new(owned);
        registry.held.push(Arc::clone(&owned));
        owned
    }))
}

/// Do a short step that puts a name into a directory or takes one out, unless all of them are being removed.
pub(super) fn while_open<T>(step: impl FnOnce() -> T) -> Result<T, Unavailable> {
    let registry = lock();
    if registry.closed { Err(Unavailable::Interrupted) } else { Ok(step()) }
}

/// Whether [`remove_all`] was called.
pub(super) fn check() -> Result<(), Unavailable> {
    while_open(|| ())
}

/// Remove one directory, unless [`remove_all`] has done so.
pub(super) fn release(owned: &Arc<Owned>) {
    let mut registry = lock();
    if let Some(index) = registry.held.iter().position(|held| Arc::ptr_eq(held, owned)) {
        remove(&registry.held.swap_remove(index));
    }
}

/// Remove every scratch directory that this process holds: for the signal thread, just before it exits.
/// After this call everything that a [`super::Scratch`] does to files refuses with `Interrupted`.
///
/// Not for a signal handler itself: it takes a lock and allocates.
pub fn remove_all() {
    let mut registry = lock();
    registry.closed = true;
    for owned in registry.held.drain(..) {
        remove(&owned);
    }
}

/// Nobody is left who could take an error. What stays keeps its lock file, and that is free once this process has gone:
/// the next run collects it.
fn remove(owned: &Owned) {
    let _ = owned.remove();
}
