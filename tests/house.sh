#!/usr/bin/env bash
# How heavy the house is: lines of Rust by room without tests, acts above 250 lines, and how many tests there are.
# `tests/house.sh` counts the last commit; `tests/house.sh REV…` puts other commits beside it.
set -euo pipefail
cd "$(dirname "$0")/.."

# The Rust files of a room at a commit: tests have files or folders of their own, named so.
files() { git ls-tree -r --name-only "$1" | grep -E "^$2" | grep -E '\.rs$' | grep -vE '(^|/)tests?(/|\.rs$)' || true; }
lines() { files "$1" "$2" | while read -r file; do git show "$1:$file"; done | wc -l; }
heavy() {
    files "$1" 'labs/0[0-9]-' | while read -r file; do
        git show "$1:$file" | awk -v file="$file" '/^impl Act for/ { act = 1 } END { if (act && NR > 250) print file }'
    done | wc -l
}
tests() { git grep -hE '^\s*#\[test\]' "$1" -- '*.rs' | wc -l; }

revisions=("$@" HEAD)
printf '%-28s' '' "${revisions[@]}"
echo
row() {
    printf '%-28s' "$1"
    shift
    for revision in "${revisions[@]}"; do printf '%-28s' "$("$@" "$revision")"; done
    echo
}
in_room() { lines "$2" "$1"; }
row 'labs (all seven)' in_room 'labs/0[0-9]-[^/]*/src/'
row 'lesson' in_room 'labs/lesson/src/'
row 'instruments' in_room 'labs/instruments/src/'
row 'tutor' in_room 'tutor/src/'
row 'book tool' in_room 'book/tool/'
row 'act files above 250 lines' heavy
row '#[test] functions' tests
