//! What a program can do about SIGBUS: die of it without a core file, or put a page of zeros where there is none.

use crate::pages::page_bytes;
use crate::raw_map::RawMap;
use nix::sys::resource::{Resource, setrlimit};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// No core file is written when this process dies: for programs that die on purpose. See core(5).
pub fn leave_no_core_file() -> io::Result<()> {
    Ok(setrlimit(Resource::RLIMIT_CORE, 0, 0)?)
}

/// A handler that survives loads and stores where the file has no page: it maps an anonymous page of zeros over the
/// faulting one and notes that it did, and the instruction is run again. What is loaded there from then on is not the
/// file's, and what is stored there reaches no file: the program must ask [`Rescue::first_offset`] before it
/// believes its result.
///
/// One at a time in a process, since signal handlers are the process's.
#[derive(Debug)]
pub struct Rescue<'map> {
    map: &'map RawMap,
    before: libc::sigaction,
}

// What the handler may look at: atomics only, since it can interrupt anything.
static TAKEN: AtomicBool = AtomicBool::new(false);
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
static PAGE: AtomicUsize = AtomicUsize::new(0);
static PAGES: AtomicUsize = AtomicUsize::new(0);
static FIRST: AtomicUsize = AtomicUsize::new(NONE);

const NONE: usize = usize::MAX;

impl<'map> Rescue<'map> {
    /// Guard the pages of `map` until the rescue is dropped. See sigaction(2).
    ///
    /// Errors: [`io::ErrorKind::ResourceBusy`] where another rescue is alive.
    pub fn over(map: &'map RawMap) -> io::Result<Rescue<'map>> {
        if TAKEN.swap(true, Ordering::SeqCst) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let range = map.page_range();
        START.store(range.start, Ordering::SeqCst);
        END.store(range.end, Ordering::SeqCst);
        PAGE.store(page_bytes() as usize, Ordering::SeqCst);
        PAGES.store(0, Ordering::SeqCst);
        FIRST.store(NONE, Ordering::SeqCst);
        match install() {
            Ok(before) => Ok(Rescue { map, before }),
            Err(error) => {
                TAKEN.store(false, Ordering::SeqCst);
                Err(error)
            }
        }
    }

    /// Pages of zeros that were put in so far.
    pub fn replaced_pages(&self) -> u64 {
        PAGES.load(Ordering::SeqCst) as u64
    }

    /// The offset, in the mapping, of the first access that found no page.
    pub fn first_offset(&self) -> Option<u64> {
        match FIRST.load(Ordering::SeqCst) {
            NONE => None,
            address => Some(address as u64 - self.map.base()),
        }
    }
}

impl Drop for Rescue<'_> {
    fn drop(&mut self) {
        // SAFETY: `before` is what the kernel itself told us to be the earlier disposition.
        unsafe { libc::sigaction(libc::SIGBUS, &self.before, std::ptr::null_mut()) };
        TAKEN.store(false, Ordering::SeqCst);
    }
}

fn install() -> io::Result<libc::sigaction> {
    // SAFETY: sigaction is made of integers and pointers, for which zero bytes are valid: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = on_sigbus as extern "C" fn(_, _, _) as usize;
    action.sa_flags = libc::SA_SIGINFO;
    let mut before = action;
    // SAFETY: both point to structures that live over the call, and the handler keeps to what may be done in one.
    let result = unsafe { libc::sigaction(libc::SIGBUS, &action, &mut before) };
    if result == 0 { Ok(before) } else { Err(io::Error::last_os_error()) }
}

/// Async-signal-safe: atomics, and system calls that take no lock of ours. mmap(2) is not on POSIX's list of functions
/// that a handler may call, but on Linux it is a bare system call.
extern "C" fn on_sigbus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the kernel hands a handler with SA_SIGINFO a valid siginfo_t for the duration of the call.
    let info = unsafe { &*info };
    // SAFETY: a SIGBUS that the kernel raised for an access carries an address; one sent by kill(2) does not, but then
    // si_code is not positive, and the value is not used.
    let address = unsafe { info.si_addr() }.addr();
    let ours = (START.load(Ordering::SeqCst)..END.load(Ordering::SeqCst)).contains(&address);
    // SAFETY: errno is this thread's own, and the interrupted code must find it as it was.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the pointer was just given to us and stays valid as long as the thread.
    let errno_before = unsafe { *errno };
    if !(ours && info.si_code == libc::BUS_ADRERR && replace_page(address)) {
        die_of(signal);
    }
    // SAFETY: as above.
    unsafe { *errno = errno_before };
}

fn replace_page(address: usize) -> bool {
    let page = PAGE.load(Ordering::SeqCst);
    // SAFETY: MAP_FIXED replaces exactly one page, inside the mapping that the living `Rescue` borrows (checked by the
    // caller); only volatile accesses of single bytes ever go there, so no reference can see it change.
    let mapped = unsafe {
        libc::mmap(
            std::ptr::without_provenance_mut(address & !(page - 1)),
            page,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
            -1,
            0,
        )
    };
    if mapped == libc::MAP_FAILED {
        return false;
    }
    PAGES.fetch_add(1, Ordering::SeqCst);
    let _ = FIRST.compare_exchange(NONE, address, Ordering::SeqCst, Ordering::SeqCst);
    true
}

/// Not ours to heal: with the default disposition back, the access is repeated on return, and kills.
fn die_of(signal: libc::c_int) {
    // SAFETY: SIG_DFL is always a valid disposition, and signal(2) may be called from a handler.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn a_missing_page_becomes_zeros_and_is_noted() {
        let page = page_bytes();
        let file = tempfile::tempfile().expect("a temporary file");
        file.write_all_at(&vec![7; 4 * page as usize], 0).expect("written");
        let map = RawMap::shared(&file, 4 * page).expect("mapped");
        let rescue = Rescue::over(&map).expect("nobody else has one");
        assert!(Rescue::over(&map).is_err(), "one at a time");
        assert_eq!(map.load(3 * page + 5), 7);
        assert_eq!((rescue.replaced_pages(), rescue.first_offset()), (0, None));

        crate::other_process::truncate(&file, page + 10).expect("forked");
        assert_eq!(map.load(page + 9), 7);
        assert_eq!((rescue.replaced_pages(), rescue.first_offset()), (0, None));
        assert_eq!(map.load(2 * page + 5), 0);
        map.store(3 * page, 1);
        assert_eq!(map.load(3 * page), 1);
        assert_eq!((rescue.replaced_pages(), rescue.first_offset()), (2, Some(2 * page + 5)));
        assert_eq!(file.metadata().expect("open").len(), page + 10, "no store reached the file");
    }
}
