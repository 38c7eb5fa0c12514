//! Which mount holds a directory. See proc_pid_mountinfo(5).

use procfs::process::MountInfo;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;

/// What /proc/self/mountinfo says about a mount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mount {
    /// ext4, xfs, fuse.sshfs, …
    pub(super) kind: String,
    /// `major:minor` of the device; a major of 0 is no device but a number made up for this filesystem.
    pub(super) number: String,
    /// What was mounted: a path such as /dev/sda2, a server's name, or a word that means nothing.
    pub(super) source: String,
    /// The directory that takes what is written into an overlay.
    pub(super) upper_dir: Option<String>,
}

impl Mount {
    /// The mount that holds an open file or directory; None where /proc does not tell.
    pub(super) fn holding(file: &File) -> Option<Mount> {
        let mountinfo = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
        let fdinfo = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd()));
        let id = fdinfo.ok().and_then(|text| mount_id(&text));
        let device = file.metadata().ok()?.dev();
        let number = format!("{}:{}", libc::major(device), libc::minor(device));
        Mount::find(&mountinfo, id, &number)
    }

    /// The mount of this id or, where that is not known, one of the same device.
    fn find(mountinfo: &str, id: Option<i32>, number: &str) -> Option<Mount> {
        let mut mounts = mountinfo.lines().filter_map(|line| MountInfo::from_line(line).ok());
        let mount = match id {
            Some(id) => mounts.find(|mount| mount.mnt_id == id),
            None => mounts.find(|mount| mount.majmin == number),
        }?;
        Some(Mount {
            kind: mount.fs_type,
            number: mount.majmin,
            source: mount.mount_source.unwrap_or_default(),
            upper_dir: mount.super_options.get("upperdir").cloned().flatten(),
        })
    }
}

/// The mnt_id line of /proc/PID/fdinfo/FD.
fn mount_id(fdinfo: &str) -> Option<i32> {
    fdinfo.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTINFO: &str = "\
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24683652k
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
28 27 0:31 /@srv /srv rw,relatime shared:2 master:1 - btrfs /dev/mapper/luks rw,subvol=/@home
this line is damaged
29 27 0:40 / /merged rw - overlay overlay rw,lowerdir=/l1:/l2,upperdir=/var/up,workdir=/var/work
30 27 0:41 / /share rw - nfs4 server:/export rw,vers=4.2
31 27 254:0 /data /data ro,relatime - ext4 /dev/vda rw,discard
32 27 0:42 / /odd rw - fuse.odd none rw
";

    #[test]
    fn the_id_decides() {
        let found = |id| Mount::find(MOUNTINFO, Some(id), "254:0").map(|mount| (mount.kind, mount.source));
        assert_eq!(found(28), Some(("btrfs".into(), "/dev/mapper/luks".into())));
        assert_eq!(found(30), Some(("nfs4".into(), "server:/export".into())));
        assert_eq!(found(32), Some(("fuse.odd".into(), String::new())));
        assert_eq!(found(99), None);
    }

    #[test]
    fn without_an_id_the_device_decides() {
        let found = |number| Mount::find(MOUNTINFO, None, number).map(|mount| (mount.kind, mount.number));
        assert_eq!(found("254:0"), Some(("ext4".into(), "254:0".into())));
        assert_eq!(found("0:23"), Some(("tmpfs".into(), "0:23".into())));
        assert_eq!(found("8:1"), None);
    }

    #[test]
    fn an_overlay_tells_where_it_writes() {
        let upper_dir = |id| Mount::find(MOUNTINFO, Some(id), "").and_then(|mount| mount.upper_dir);
        assert_eq!(upper_dir(29).as_deref(), Some("/var/up"));
        assert_eq!(upper_dir(27), None);
    }

    #[test]
    fn the_id_is_a_line_of_fdinfo() {
        assert_eq!(mount_id("pos:\t0\nflags:\t02100000\nmnt_id:\t27\nino:\t5\n"), Some(27));
        assert_eq!(mount_id("pos:\t0\n"), None);
        assert_eq!(mount_id(""), None);
    }

    #[test]
    fn proc_is_mounted_on_this_machine() {
        let proc = File::open("/proc").expect("Linux has one");
        assert_eq!(Mount::holding(&proc).map(|mount| mount.kind).as_deref(), Some("proc"));
    }
}
