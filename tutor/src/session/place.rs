//! The places of a session, in their order: intro, then question and reveal of each act, then the summary.

/// Where the learner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// What the lab is about.
    Intro,
    /// The question of an act, answered or not.
    Question(usize),
    /// What came out of an act that was played.
    Reveal(usize),
    /// All that came out.
    Summary,
}

impl Place {
    /// The act that it belongs to.
    pub fn act(self) -> Option<usize> {
        match self {
            Place::Question(act) | Place::Reveal(act) => Some(act),
            Place::Intro | Place::Summary => None,
        }
    }
}

/// The part of the lab that this session goes through.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The act that it begins with.
    pub first: usize,
    /// How many acts the lab has.
    pub acts: usize,
}

impl Way {
    /// The place after this one; None at the end.
    pub fn after(self, place: Place) -> Option<Place> {
        match place {
            Place::Intro => Some(Place::Question(self.first)),
            Place::Question(act) => Some(Place::Reveal(act)),
            Place::Reveal(act) if act + 1 < self.acts => Some(Place::Question(act + 1)),
            Place::Reveal(_) => Some(Place::Summary),
            Place::Summary => None,
        }
    }

    /// The place before this one; None at the beginning.
    pub fn before(self, place: Place) -> Option<Place> {
        match place {
            Place::Intro => None,
            Place::Question(act) if act == self.first => Some(Place::Intro),
            Place::Question(act) => Some(Place::Reveal(act - 1)),
            Place::Reveal(act) => Some(Place::Question(act)),
            Place::Summary => Some(Place::Reveal(self.acts - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_is_the_way_there() {
        let way = Way { first: 1, acts: 3 };
        let mut places = vec![Place::Intro];
        while let Some(next) = way.after(places[places.len() - 1]) {
            assert_eq!(way.before(next), places.last().copied());
            places.push(next);
        }
        assert_eq!(places.len(), 6, "{places:?}");
        assert_eq!(places.last(), Some(&Place::Summary));
    }
}
