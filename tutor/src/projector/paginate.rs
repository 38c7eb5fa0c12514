//! Cutting what is too long for one screen into several: between paragraphs where that can be, never losing a line.

/// Pages of at most `room` lines: whole blocks, an empty line between two of them. A block that is larger than a page
/// begins where the page before it ends.
pub fn pages(blocks: &[Vec<String>], room: usize) -> Vec<Vec<String>> {
    let mut pages: Vec<Vec<String>> = Vec::new();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        match pages.last_mut() {
            Some(page) if page.len() + 1 + block.len() <= room => {
                page.push(String::new());
                page.extend(block.iter().cloned());
            }
            _ => pages.extend(even(block, room)),
        }
    }
    pages
}

/// One block as pages of nearly the same length, so that no page holds one last line.
fn even(block: &[String], room: usize) -> Vec<Vec<String>> {
    let count = block.len().div_ceil(room.max(1));
    block.chunks(block.len().div_ceil(count)).map(<[String]>::to_vec).collect()
}

/// The longest pieces of `items` from the first on, each of which `fits`; one item where not even that does.
pub fn pieces<T: Clone>(items: &[T], fits: impl Fn(&[T]) -> bool) -> Vec<Vec<T>> {
    let mut left = items;
    let mut pieces = Vec::new();
    while !left.is_empty() {
        let longest = (1..=left.len()).rev().find(|count| fits(&left[..*count])).unwrap_or(1);
        pieces.push(left[..longest].to_vec());
        left = &left[longest..];
    }
    // The last piece is not left with one item where the one before can spare some.
    if let [.., before, last] = pieces.as_mut_slice() {
        while last.len() + 1 < before.len() {
            let moved = before.pop().expect("it is longer than the last");
            last.insert(0, moved);
            if !fits(last) {
                before.push(last.remove(0));
                break;
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: usize) -> Vec<String> {
        (0..lines).map(|line| format!("{line}")).collect()
    }

    #[test]
    fn no_page_is_too_long_and_no_line_is_lost() {
        for lengths in [vec![1], vec![3, 3, 3], vec![11, 2], vec![25], vec![1, 12, 1], vec![], vec![0, 2]] {
            let blocks: Vec<_> = lengths.iter().map(|length| block(*length)).collect();
            let pages = pages(&blocks, 10);
            assert!(pages.iter().all(|page| page.len() <= 10 && !page.is_empty()), "{pages:?}");
            let kept: Vec<_> = pages.concat().into_iter().filter(|line| !line.is_empty()).collect();
            assert_eq!(kept, blocks.concat());
        }
        assert_eq!(pages(&[block(11)], 10).iter().map(Vec::len).collect::<Vec<_>>(), [6, 5]);
    }

    #[test]
    fn pieces_fit_and_the_last_is_no_crumb() {
        let of = |count: usize| pieces(&vec![(); count], |piece| piece.len() <= 6);
        let lengths = |count| of(count).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(6), [6]);
        assert_eq!(lengths(7), [4, 3]);
        assert_eq!(lengths(13), [6, 4, 3]);
        assert_eq!(pieces(&[1, 2], |_| false).len(), 2);
    }
}
