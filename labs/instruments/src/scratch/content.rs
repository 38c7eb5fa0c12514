//! What scratch files hold: bytes that no filesystem can compress or share, made faster than a disk takes them, and the
//! same for the same place in any file, so that sums can be checked.

/// The unit in which content is made: each piece starts its generator anew from its own number.
pub const PIECE_BYTES: usize = 1 << 20;

/// Fill `buffer`, at most a piece long, with the beginning of piece `number` of any scratch file.
pub fn fill(number: u64, buffer: &mut [u8]) {
    assert!(buffer.len() <= PIECE_BYTES, "a piece has no more bytes");
    // xorshift64* (Marsaglia, Vigna); any odd multiplier tells the pieces apart, and the state must not be 0.
    let mut state = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut words = buffer.chunks_exact_mut(8);
    for word in &mut words {
        word.copy_from_slice(&next(&mut state).to_le_bytes());
    }
    let rest = words.into_remainder();
    let last = next(&mut state).to_le_bytes();
    rest.copy_from_slice(&last[..rest.len()]);
}

/// The sum of all bytes of a scratch file of `bytes` bytes: what a workload that adds them up has to print.
pub fn byte_sum(bytes: u64) -> u64 {
    let mut buffer = vec![0; PIECE_BYTES];
    pieces(bytes)
        .map(|(number, length)| {
            let piece = &mut buffer[..length];
            fill(number, piece);
            piece.iter().map(|&byte| u64::from(byte)).sum::<u64>()
        })
        .sum()
}

/// The pieces of a file of `bytes` bytes: number and length; only the last may be shorter.
pub(super) fn pieces(bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    let piece = PIECE_BYTES as u64;
    (0..bytes.div_ceil(piece)).map(move |number| (number, piece.min(bytes - number * piece) as usize))
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u64, length: usize) -> Vec<u8> {
        let mut buffer = vec![0; length];
        fill(number, &mut buffer);
        buffer
    }

    #[test]
    fn a_short_piece_is_the_beginning_of_the_whole() {
        let whole = piece(3, 100);
        for length in 0..100 {
            assert_eq!(piece(3, length), whole[..length]);
        }
    }

    #[test]
    fn pieces_differ_and_none_can_be_compressed() {
        let pieces: Vec<_> = (0..4).map(|number| piece(number, 1 << 16)).collect();
        for (index, one) in pieces.iter().enumerate() {
            assert!(pieces[..index].iter().all(|other| other != one));
            // Each of 256 values is expected 256 times.
            let mut times = [0_u32; 256];
            one.iter().for_each(|&byte| times[usize::from(byte)] += 1);
            assert!(times.iter().all(|times| (128..512).contains(times)));
        }
    }

    #[test]
    fn the_sum_is_that_of_all_pieces() {
        let add = |bytes: &[u8]| bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        assert_eq!(byte_sum(0), 0);
        assert_eq!(byte_sum(10), add(&piece(0, 10)));
        let more = PIECE_BYTES as u64 + 10;
        assert_eq!(byte_sum(more), add(&piece(0, PIECE_BYTES)) + add(&piece(1, 10)));
        assert_eq!(pieces(more).collect::<Vec<_>>(), [(0, PIECE_BYTES), (1, 10)]);
    }
}
