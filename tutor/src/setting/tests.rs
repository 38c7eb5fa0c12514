//! Knobs against a card and against a machine.

use super::*;

const MIB: u64 = 1 << 20;
const ROOM: Room = Room { disk_bytes: 1 << 40, memory_bytes: 1 << 40, cgroup_bytes: None };

fn card() -> Card {
    Card {
        number: 3,
        slug: "fake",
        title: "",
        promise: "",
        minutes: 1,
        needs: &[],
        knobs: &[
            Knob { name: "size", min: 4 * MIB, max: 1 << 36, multiple_of: 4096 },
            Knob { name: "block", min: 512, max: 4 * MIB, multiple_of: 512 },
        ],
        default_size_bytes: 512 * MIB,
        default_block_bytes: 128 << 10,
        default_trials: 5,
    }
}

fn refused(typed: Typed<'_>) -> String {
    let ending = read(&card(), &typed).expect_err("impossible");
    assert_eq!(ending.code(), 2);
    ending.to_string()
}

#[test]
fn impossible_values_are_refused_with_the_valid_range() {
    let size = |text| refused(Typed { size: Some(text), ..Typed::default() });
    assert_eq!(size("0"), "--size 0 is out of range; lab 3 takes 4M to 64G in multiples of 4K");
    assert_eq!(size("4097"), "--size 4097 is out of range; lab 3 takes 4M to 64G in multiples of 4K");
    assert!(size("9E").contains("too large"), "{}", size("9E"));
    assert!(size("banana").ends_with("; lab 3 takes 4M to 64G in multiples of 4K"), "{}", size("banana"));
    let block = refused(Typed { block: Some("7"), ..Typed::default() });
    assert_eq!(block, "--block 7 is out of range; lab 3 takes 512 to 4M in multiples of 512");
}

#[test]
fn a_knob_that_the_lab_does_not_have_names_those_it_has() {
    let trials = refused(Typed { trials: Some("5"), ..Typed::default() });
    assert_eq!(trials, "lab 3 has no --trials; it has --size, --block");
    let patient = refused(Typed { patient: true, ..Typed::default() });
    assert_eq!(patient, "lab 3 has no --patient; it has --size, --block");
    assert!(!read(&card(), &Typed::default()).expect("nothing was typed").patient());
}

#[test]
fn the_default_shrinks_to_a_quarter_of_the_scarcest() {
    let planned = |room| plan(&card(), &Wanted::default(), &room, "/d").unwrap();
    assert_eq!(
        planned(ROOM),
        Planned { plan: Plan { size_bytes: 512 * MIB, block_bytes: 128 << 10, trials: 5 }, smaller: None }
    );
    let disk = planned(Room { disk_bytes: 1000 * MIB, ..ROOM });
    assert_eq!(disk.plan.size_bytes, 128 * MIB);
    assert!(disk.smaller.unwrap().contains("free disk space in /d"));
    let cgroup = planned(Room { cgroup_bytes: Some(256 * MIB), ..ROOM });
    assert_eq!(cgroup.plan.size_bytes, 64 * MIB);
    assert!(cgroup.smaller.unwrap().contains("memory limit"));
    let just = planned(Room { memory_bytes: 28 * MIB, ..ROOM });
    assert_eq!(just.plan.size_bytes, 4 * MIB);
}

#[test]
fn too_little_room_for_the_smallest_size_is_a_failure_with_what_to_do() {
    let refused = |disk_bytes| {
        let ending = plan(&card(), &Wanted::default(), &Room { disk_bytes, ..ROOM }, "/d").unwrap_err();
        assert_eq!(ending.code(), 1);
        ending.to_string()
    };
    assert_eq!(
        refused(12 * MIB),
        "cannot run lab 3: a quarter of the 12 MiB that are free in /d is less than the 4 MiB that it needs; \
         `--size 4M` would do"
    );
    let least = Wanted { size_bytes: Some(4 * MIB), ..Wanted::default() };
    plan(&card(), &least, &Room { disk_bytes: 12 * MIB, ..ROOM }, "/d").expect("it would do");
    let nothing = refused(6 * MIB);
    assert!(nothing.contains("another --dir") && !nothing.contains("--size"), "{nothing}");
}

#[test]
fn an_asked_size_has_to_fit_the_disk_but_not_the_memory() {
    let wanted = Wanted { size_bytes: Some(1 << 30), ..Wanted::default() };
    let small_memory = Room { memory_bytes: MIB, cgroup_bytes: Some(MIB), ..ROOM };
    assert_eq!(plan(&card(), &wanted, &small_memory, "/d").unwrap().plan.size_bytes, 1 << 30);
    let ending = plan(&card(), &wanted, &Room { disk_bytes: 1 << 30, ..ROOM }, "/d").unwrap_err();
    assert_eq!(ending.code(), 1, "the machine lacks something; the command line is a good one");
    assert_eq!(
        ending.to_string(),
        "--size 1G does not fit: 1 GiB are free in /d; lab 3 takes 4M to 921M in multiples of 4K here"
    );
    let nothing = plan(&card(), &wanted, &Room { disk_bytes: MIB, ..ROOM }, "/d").unwrap_err();
    assert_eq!(nothing.code(), 1);
    assert!(nothing.to_string().contains("another --dir"), "{nothing}");
}
