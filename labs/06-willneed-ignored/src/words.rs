//! Figures in words, options, and the caveats that figures themselves call for.

use crate::asked::Asked;
use instruments::Samples;
use instruments::residency::Residency;
use instruments::sample::Standing::TooFew;
use instruments::size::format_bytes;
use lesson::caveat::of_host;
use lesson::figure::ResidencyMap;
use lesson::{Caveat, Choice, Figure, Outcome, Setting};

pub use lesson::words::{many, percent, time};

/// How two arms stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Their ranges do not meet: the medians decide.
    Apart,
    /// Narrow ranges, and a median of one lies within the range of the other: about the same.
    Tie,
    /// Neither is proven, for this reason.
    CannotTell(&'static str),
}

impl Standing {
    /// Of these two.
    pub fn of(one: &Samples, other: &Samples) -> Standing {
        let holds = |range: &Samples, figure: &Samples| {
            range
                .range()
                .zip(figure.median())
                .is_some_and(|((least, most), median)| (least..=most).contains(&median))
        };
        if one.is_apart_from(other) {
            Standing::Apart
        } else if one.against(other) == TooFew {
            Standing::CannotTell("too few trials count")
        } else if one.is_wide() || other.is_wide() {
            Standing::CannotTell("the trials scatter too widely")
        } else if holds(one, other) || holds(other, one) {
            Standing::Tie
        } else {
            Standing::CannotTell("the spreads overlap")
        }
    }
}

/// What is said of `measured` where nobody can tell, for this reason.
pub fn cannot_tell(measured: &str, why: &str) -> (Outcome, String) {
    (Outcome::Undecided(why.to_owned()), format!("Nobody can tell: {measured}, and {why}."))
}

/// `512 MiB from the device`, of the middle figure.
pub fn from_device(mut delivered: Vec<Option<u64>>) -> String {
    delivered.sort_unstable();
    match delivered.get(delivered.len() / 2) {
        Some(Some(bytes)) => format!("{} from the device", format_bytes(*bytes)),
        _ => "unknown from the device".to_owned(),
    }
}

/// The middle one; None of nothing.
pub fn middle(mut figures: Vec<u64>) -> Option<u64> {
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied()
}

/// An answer to choose.
pub fn option(id: &str, text: impl Into<String>, explanation: &str) -> Choice {
    Choice { id: id.to_owned(), text: text.into(), explanation: explanation.to_owned() }
}

/// The option whose figure is nearest to `value` on a log scale.
pub fn nearest<'a>(value: f64, options: &[(&'a str, f64)]) -> Option<&'a str> {
    let distance = |figure: f64| (value / figure).ln().abs();
    let near = options.iter().min_by(|(_, one), (_, other)| distance(*one).total_cmp(&distance(*other)));
    near.filter(|_| value > 0.0 && value.is_finite()).map(|(id, _)| *id)
}

/// What of the machine's available memory this process may use.
pub fn within_the_limit(available_bytes: u64, setting: &Setting) -> u64 {
    let limit = setting.host.cgroup.as_ref().and_then(|cgroup| cgroup.limit_bytes);
    limit.map_or(available_bytes, |limit| limit.min(available_bytes))
}

/// What must be said beside counts of pages, which no disk can falsify.
pub fn caveats_of_counts<'a>(setting: &Setting, asked: impl IntoIterator<Item = &'a Asked>) -> Vec<Caveat> {
    let mut caveats = of_host(&setting.host);
    caveats.retain(|caveat| !matches!(caveat, Caveat::CacheBelow(_)));
    let unknown =
        asked.into_iter().find_map(|asked| asked.before.why_unknown().or(asked.after.why_unknown()));
    caveats.extend(unknown.map(|why| Caveat::ResidencyUnknown(why.to_string())));
    caveats
}

/// That runs of these do not count, since somebody took pages meanwhile.
pub fn caveat_of_taken<'a>(setting: &Setting, asked: impl IntoIterator<Item = &'a Asked>) -> Option<Caveat> {
    let taken: Vec<_> = asked.into_iter().filter_map(|asked| asked.taken(setting.host.page_bytes)).collect();
    taken.last().map(|why| Caveat::Discarded(taken.len() as u32, why.clone()))
}

/// Why none of these runs counts.
pub fn none_counts(setting: &Setting, asked: &[Asked]) -> String {
    let taken = asked.iter().find_map(|asked| asked.taken(setting.host.page_bytes));
    taken.unwrap_or_else(|| "no run began with an evicted file whose pages can be counted".to_owned())
}

/// Where in the file the resident pages are; nothing where nobody knows.
pub fn map(title: &str, size_bytes: u64, setting: &Setting, buckets: &[Residency]) -> Option<Figure> {
    (!buckets.is_empty()).then(|| {
        Figure::ResidencyMap(ResidencyMap {
            title: title.to_owned(),
            size_bytes,
            page_bytes: setting.host.page_bytes,
            buckets: buckets.to_vec(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_near_and_narrow() {
        let of = |values: &[f64]| Samples { values: values.to_vec(), ..Samples::default() };
        let narrow = of(&[98.0, 99.0, 100.0, 101.0, 102.0]);
        assert_eq!(Standing::of(&narrow, &narrow), Standing::Tie);
        assert_eq!(
            Standing::of(&narrow, &of(&[100.5, 101.0, 101.5, 102.0, 102.5])),
            Standing::CannotTell("the spreads overlap")
        );
        let noise = of(&[20.0, 30.0, 103.0, 250.0, 300.0]);
        let scattered = Standing::CannotTell("the trials scatter too widely");
        assert_eq!(Standing::of(&narrow, &noise), scattered);
        assert_eq!(Standing::of(&noise, &narrow), scattered);
        assert_eq!(Standing::of(&narrow, &of(&[200.0; 5])), Standing::Apart);
        assert!(matches!(Standing::of(&narrow, &of(&[100.0])), Standing::CannotTell(_)));
    }
}
