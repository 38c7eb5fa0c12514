//! Hosts and containers of both versions, and the hybrid of the two.

use super::*;

const V1_MOUNT: &str = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";
const V2_MOUNT: &str = "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

fn located(cgroup: &str, mountinfo: &str) -> Option<(u32, String)> {
    let found = MemoryCgroup::locate(cgroup, mountinfo)?;
    Some((found.version, found.dir.to_str()?.to_owned()))
}

fn at(version: u32, dir: &str) -> Option<(u32, String)> {
    Some((version, dir.into()))
}

#[test]
fn a_host_of_version_2() {
    let cgroup = "0::/user.slice/user-1000.slice/session-3.scope\n";
    let dir = "/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope";
    assert_eq!(located(cgroup, V2_MOUNT), at(2, dir));
}

#[test]
fn a_container_of_version_2_is_its_own_root() {
    assert_eq!(located("0::/\n", V2_MOUNT), at(2, "/sys/fs/cgroup"));
    let outside = located("0::/../other\n", V2_MOUNT);
    assert_eq!(outside, at(2, "/sys/fs/cgroup"), "never out of the mount");
}

#[test]
fn hybrid_has_memory_where_version_1_names_it() {
    let cgroup = "9:name=systemd:/\n4:memory:/jobs/7\n3:cpuset:/\n0::/unified\n";
    let mounts = format!("38 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n{V1_MOUNT}");
    assert_eq!(located(cgroup, &mounts), at(1, "/sys/fs/cgroup/memory/jobs/7"));
}

#[test]
fn hybrid_of_the_other_kind_has_memory_in_version_2() {
    let cgroup = "1:name=systemd:/\n0::/jobs/7\n";
    assert_eq!(located(cgroup, V2_MOUNT), at(2, "/sys/fs/cgroup/jobs/7"));
}

#[test]
fn a_container_of_version_1_mounts_its_own_part() {
    let mount = "35 31 0:32 /docker/0a1b /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n";
    assert_eq!(located("4:memory:/docker/0a1b\n", mount), at(1, "/sys/fs/cgroup/memory"));
    assert_eq!(located("4:memory:/docker/0a1b/job\n", mount), at(1, "/sys/fs/cgroup/memory/job"));
}

#[test]
fn nothing_is_found_where_nothing_is_visible() {
    assert_eq!(located("", V2_MOUNT), None);
    assert_eq!(located("0::/jobs\n", ""), None);
    assert_eq!(located("0::/jobs\n", "not a mount\n"), None);
    assert_eq!(located("4:memory:/jobs\n", V2_MOUNT), None, "version 1 is used, but not mounted here");
}

#[test]
fn bad_lines_hide_no_good_ones() {
    let mounts = format!("22 27 zero\n\n{V2_MOUNT}");
    assert_eq!(located("junk\n0::/jobs\n", &mounts), at(2, "/sys/fs/cgroup/jobs"));
}

#[test]
fn limits_are_numbers_or_none() {
    assert_eq!(limit("134217728\n"), Some(134_217_728));
    assert_eq!(limit("0\n"), Some(0));
    for none in
        ["max\n", "9223372036854771712\n", "9223372036854710272\n", "18446744073709551615\n", "", "junk"]
    {
        assert_eq!(limit(none), None, "{none:?}");
    }
}

/// A cgroup directory two levels below its mount, with these files (level 0 is the mount).
fn tree(version: u32, files: &[(usize, &str, &str)]) -> (tempfile::TempDir, MemoryCgroup) {
    let top = tempfile::tempdir().expect("a directory");
    let levels = [top.path().to_owned(), top.path().join("slice"), top.path().join("slice/job")];
    std::fs::create_dir_all(&levels[2]).expect("directories");
    for (level, name, text) in files {
        std::fs::write(levels[*level].join(name), text).expect("a file");
    }
    let cgroup = MemoryCgroup { version, dir: levels[2].clone(), top: levels[0].clone() };
    (top, cgroup)
}

#[test]
fn the_smallest_limit_on_the_way_up_counts() {
    let files = [(2, "memory.max", "max\n"), (1, "memory.max", "1000\n"), (0, "memory.max", "2000\n")];
    let (_top, cgroup) = tree(2, &files);
    assert_eq!(cgroup.limit_bytes(), Some(1000));

    let (_top, cgroup) = tree(2, &[(2, "memory.max", "1000\n"), (2, "memory.high", "900\n")]);
    assert_eq!(cgroup.limit_bytes(), Some(900));

    let (_top, cgroup) = tree(2, &[(2, "memory.max", "max\n"), (2, "memory.high", "max\n")]);
    assert_eq!(cgroup.limit_bytes(), None);

    let (_top, cgroup) = tree(2, &[]);
    assert_eq!(cgroup.limit_bytes(), None);
}

#[test]
fn version_1_tells_of_limits_that_cannot_be_seen() {
    let unlimited = (2, "memory.limit_in_bytes", "9223372036854771712\n");
    let (_top, cgroup) =
        tree(1, &[unlimited, (2, "memory.stat", "cache 1\nhierarchical_memory_limit 5000\n")]);
    assert_eq!(cgroup.limit_bytes(), Some(5000));

    let no_limit = (2, "memory.stat", "hierarchical_memory_limit 9223372036854771712\n");
    let (_top, cgroup) = tree(1, &[unlimited, no_limit, (1, "memory.limit_in_bytes", "7000\n")]);
    assert_eq!(cgroup.limit_bytes(), Some(7000));
}

#[test]
fn both_versions_say_the_same_thing_in_their_own_words() {
    let version_1 = "cache 1\nrss 2\ntotal_cache 10\ntotal_rss 20\ntotal_dirty 30\ntotal_writeback 40\n";
    let version_2 = "anon 20\nfile 10\nkernel 5\nfile_mapped 1\nfile_dirty 30\nfile_writeback 40\n";
    let expected = MemoryStat { file_bytes: 10, anon_bytes: 20, dirty_bytes: 30, writeback_bytes: 40 };
    for (version, text) in [(1, version_1), (2, version_2)] {
        assert_eq!(MemoryStat::of(&Counters::parse(text), version), Some(expected));
        assert_eq!(MemoryStat::of(&Counters::parse(text), 3 - version), None);
    }
}

#[test]
fn our_own_cgroup_can_be_read_where_there_is_one() {
    let Some(cgroup) = own() else {
        eprintln!("skipped: no memory cgroup is visible here");
        return;
    };
    assert!(cgroup.dir.starts_with(&cgroup.top));
    match cgroup.counters() {
        Ok(counters) => assert_ne!(counters, Counters::default(), "{}", cgroup.dir.display()),
        Err(why) => eprintln!("skipped: the memory controller is not enabled in our cgroup: {why}"),
    }
}
