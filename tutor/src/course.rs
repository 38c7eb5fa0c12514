//! The course: one line a lab.

use crate::exit::{Ending, Result};
use lesson::Lab;

/// All labs, by number. To add one, write its crate and add its line.
pub fn labs() -> Vec<Lab> {
    vec![
        fill_and_drain::lab(),
        cold_vs_warm::lab(),
        syscalls_vs_faults::lab(),
        small_file_mmap::lab(),
        dirty_writeback::lab(),
        willneed_ignored::lab(),
        sigbus_on_truncation::lab(),
    ]
}

/// The lab of this number or slug.
pub fn find(wanted: &str) -> Result<Lab> {
    labs()
        .into_iter()
        .find(|lab| wanted == lab.card.slug || wanted.parse() == Ok(lab.card.number))
        .ok_or_else(|| Ending::Usage(format!("there is no lab `{wanted}` here; there are {}", names())))
}

/// What is missing where no lab was named, and what to type instead.
pub fn which(command: &str) -> Ending {
    let first = labs().first().map_or(1, |lab| lab.card.number);
    Ending::Usage(format!("which lab? there are {}; type for example `tutor {command} {first}`", names()))
}

/// `2 cold-vs-warm, 3 syscalls-vs-faults, …`
fn names() -> String {
    let name = |lab: &Lab| format!("{} {}", lab.card.number, lab.card.slug);
    labs().iter().map(name).collect::<Vec<_>>().join(", ")
}

/// All recordings in a lab's folder, those included that the program does not carry: their names, and what they hold.
#[cfg(test)]
pub fn recordings(lab: &Lab) -> Vec<(String, String)> {
    let folder = format!("../labs/{:02}-{}/recordings", lab.card.number, lab.card.slug);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("a lab has recordings").map(|file| file.unwrap().path());
    let json = files.filter(|file| file.extension().is_some_and(|it| it == "json"));
    json.map(|file| (file.display().to_string(), std::fs::read_to_string(&file).unwrap())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_lab_is_found_by_number_and_by_slug_and_an_unknown_one_names_the_known() {
        assert_eq!(find("2").unwrap().card.slug, "cold-vs-warm");
        assert_eq!(find("cold-vs-warm").unwrap().card.number, 2);
        let refused = find("99").unwrap_err();
        assert_eq!(refused.code(), 2);
        assert!(refused.to_string().contains("2 cold-vs-warm"), "{refused}");
    }

    #[test]
    fn where_no_lab_is_named_all_are_and_what_to_type() {
        let (which, first) = (which("lab"), labs()[0].card.number);
        assert_eq!(which.code(), 2);
        let line = which.to_string();
        assert!(labs().iter().all(|lab| line.contains(lab.card.slug)), "{line}");
        assert!(line.ends_with(&format!("`tutor lab {first}`")), "{line}");
    }

    #[test]
    fn numbers_rise_and_slugs_ids_and_knobs_are_unique_and_known() {
        let labs = labs();
        assert!(labs.windows(2).all(|pair| pair[0].card.number < pair[1].card.number));
        let slugs: BTreeSet<_> = labs.iter().map(|lab| lab.card.slug).collect();
        assert_eq!(slugs.len(), labs.len());
        for lab in &labs {
            let ids: BTreeSet<_> = lab.acts.iter().map(|act| act.id()).collect();
            assert_eq!(ids.len(), lab.acts.len(), "{}: two acts share an id", lab.card.slug);
            assert!(!lab.acts.is_empty() && !lab.card.title.is_empty() && !lab.card.promise.is_empty());
            for knob in lab.card.knobs {
                assert!(
                    ["size", "block", "trials", "patient"].contains(&knob.name),
                    "{}: --{}",
                    lab.card.slug,
                    knob.name
                );
                assert!(knob.min <= knob.max && knob.multiple_of > 0, "{knob:?}");
            }
        }
    }

    #[test]
    fn no_workload_name_is_used_twice() {
        let names: Vec<_> = labs().iter().flat_map(|lab| lab.workloads.iter().map(|it| it.name)).collect();
        let unique: BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
    }
}
