//! Add up bytes: the same machine code for a mapping and for a buffer that read() filled, so that two ways to get at
//! a file are compared and not two loops.
//!
//! All reads are volatile. The compiler then keeps every one of them, and may not turn the loop into a faster one for
//! the case whose memory it knows more about.

const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
const LOW_HALVES: u64 = 0x0000_ffff_0000_ffff;

/// How many words fit before a 16-bit lane could overflow: each word adds at most two bytes to a lane.
const WORDS_A_ROUND: usize = 128;

/// The sum of all bytes.
pub fn sum(bytes: &[u8]) -> u64 {
    // SAFETY: a slice is readable from its start for its whole length, for as long as it is borrowed.
    unsafe { sum_at(bytes.as_ptr(), bytes.len()) }
}

/// The sum of the `len` bytes from `start`.
///
/// # Safety
/// `start` must be readable for `len` bytes during the call. The bytes may be changed by other processes meanwhile.
pub(crate) unsafe fn sum_at(start: *const u8, len: usize) -> u64 {
    let head = start.align_offset(align_of::<u64>()).min(len);
    let words = (len - head) / size_of::<u64>();
    let tail = len - head - words * size_of::<u64>();
    let aligned = start.wrapping_add(head);
    // SAFETY: `head` is at most `len`, so these bytes lie in what the caller promises.
    let before = unsafe { sum_bytes(start, head) };
    // SAFETY: `aligned` is aligned for u64 whenever there is a word left, and `words` words end within `len`.
    let middle = unsafe { sum_words(aligned.cast(), words) };
    // SAFETY: the last `tail` bytes of the `len` that the caller promises.
    let after = unsafe { sum_bytes(start.wrapping_add(len - tail), tail) };
    before + middle + after
}

/// # Safety
/// `start` must be readable for `count` bytes.
unsafe fn sum_bytes(start: *const u8, count: usize) -> u64 {
    (0..count)
        // SAFETY: the index is below `count`, which the caller promises to be readable.
        .map(|index| u64::from(unsafe { start.wrapping_add(index).read_volatile() }))
        .sum()
}

/// # Safety
/// `start` must be aligned and readable for `count` words.
unsafe fn sum_words(start: *const u64, count: usize) -> u64 {
    let mut sum = 0;
    let mut done = 0;
    while done < count {
        let round_end = count.min(done + WORDS_A_ROUND);
        let mut lanes = 0;
        for index in done..round_end {
            // SAFETY: the index is below `count`, which the caller promises to be readable and aligned.
            let word = unsafe { start.wrapping_add(index).read_volatile() };
            lanes += (word & LOW_BYTES) + ((word >> 8) & LOW_BYTES);
        }
        let halves = (lanes & LOW_HALVES) + ((lanes >> 16) & LOW_HALVES);
        sum += (halves & 0xffff_ffff) + (halves >> 32);
        done = round_end;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_sum_at_every_alignment_and_length(bytes: Vec<u8>, cut in 0_usize..16) {
            let bytes = &bytes[cut.min(bytes.len())..];
            prop_assert_eq!(sum(bytes), bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        }
    }

    #[test]
    fn no_lane_overflows() {
        let bytes = vec![0xff; 8 * WORDS_A_ROUND * 3 + 5];
        assert_eq!(sum(&bytes), 255 * bytes.len() as u64);
    }
}
