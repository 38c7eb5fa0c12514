//! Whether this is a container, and which kind, by the marks that its maker leaves inside.

use super::tree::Tree;

/// Marks in the path of a process's cgroup, where the container does not hide it.
const BY_CGROUP: [(&str, &str); 8] = [
    ("/kubepods", "kubernetes"),
    ("/docker/", "docker"),
    ("/docker-", "docker"),
    ("/libpod-", "podman"),
    ("/lxc/", "lxc"),
    ("/lxc.payload", "lxc"),
    ("/machine.slice/systemd-nspawn", "systemd-nspawn"),
    ("cri-containerd", "containerd"),
];

/// Files that a maker leaves.
const BY_FILE: [(&str, &str); 3] =
    [("run/secrets/kubernetes.io", "kubernetes"), ("run/.containerenv", "podman"), (".dockerenv", "docker")];

/// docker, podman, lxc, …; None where nothing tells. `variable` is the environment's `container`.
pub(super) fn of(tree: &Tree, variable: Option<&str>) -> Option<String> {
    let by_file = BY_FILE.iter().find(|(file, _)| tree.exists(file)).map(|(_, name)| (*name).to_owned());
    let by_cgroup = || {
        let cgroup = tree.text("proc/self/cgroup")?;
        BY_CGROUP.iter().find(|(mark, _)| cgroup.contains(mark)).map(|(_, name)| (*name).to_owned())
    };
    by_file
        .or_else(|| tree.text("run/systemd/container").as_deref().and_then(word))
        .or_else(|| variable.and_then(word))
        .or_else(by_cgroup)
}

/// A kind of container is one short word: whatever else stands there could be somebody's name.
fn word(text: &str) -> Option<String> {
    let is_word = !text.is_empty()
        && text.len() <= 20
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    is_word.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake::Fake;
    use super::*;

    fn told(files: &[(&str, &str)], variable: Option<&str>) -> Option<String> {
        of(&Fake::new(files).tree, variable)
    }

    #[test]
    fn marks_tell() {
        for (mark, text, name) in [
            (".dockerenv", "", "docker"),
            ("run/.containerenv", "engine=\"podman-4.9.3\"\n", "podman"),
            ("run/secrets/kubernetes.io/serviceaccount/namespace", "default", "kubernetes"),
            ("run/systemd/container", "systemd-nspawn\n", "systemd-nspawn"),
            ("proc/self/cgroup", "4:memory:/docker/0a1b2c\n", "docker"),
            (
                "proc/self/cgroup",
                "0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-0a.scope\n",
                "kubernetes",
            ),
            ("proc/self/cgroup", "0::/machine.slice/libpod-0a.scope/container\n", "podman"),
            ("proc/self/cgroup", "0::/system.slice/docker-0a1b2c.scope\n", "docker"),
        ] {
            assert_eq!(told(&[(mark, text)], None).as_deref(), Some(name), "{text}");
        }
        assert_eq!(told(&[], Some("lxc")).as_deref(), Some("lxc"));
    }

    #[test]
    fn a_plain_machine_has_no_mark() {
        let session = ("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-3.scope\n");
        assert_eq!(told(&[session], None), None);
        let daemon = ("proc/self/cgroup", "0::/system.slice/docker.service\n");
        assert_eq!(told(&[daemon], None), None, "what starts containers is in none");
        assert_eq!(told(&[session, ("run/systemd/container", "")], Some("")), None);
        assert_eq!(told(&[], Some("Ann's box")), None, "could be somebody's name");
    }
}
