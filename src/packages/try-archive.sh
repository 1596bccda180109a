#!/usr/bin/env bash
# Tries an archive of a release: unpacks it into a folder with nothing else, and uses the program
# there. On Linux, for root, that folder is all that the program can see, but for `/proc` and random
# numbers. `CSPSYM_RUNNER` runs the programs of another machine here, such as `wine`.
set -euo pipefail

archive=${1:?the archive}
name=$(basename "$archive" | sed 's/\.tar\.gz$//; s/\.zip$//')
root=$(mktemp -d)
page=
clean() {
    if [ -n "$page" ]; then kill "$page" 2>/dev/null || true; fi
    if [ -e "$root/proc/self" ]; then umount --lazy "$root/proc"; fi
    rm -rf "$root"
}
trap clean EXIT
suffix=
case $archive in
*.zip)
    unzip -q "$archive" -d "$root"
    suffix=.exe
    ;;
*) tar -xzf "$archive" -C "$root" ;;
esac

if [ -z "${CSPSYM_RUNNER:-}" ] && [ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ]; then
    echo "$archive: tried in a root that holds the archive alone"
    at=/$name
    call=(env -i "$(command -v chroot)" "$root" "/$name/bin/cspsym")
    status=0
    "${call[@]}" eval 1 - --memory-limit 1G </dev/null || status=$?
    test "$status" = 3 # Nothing says there how much memory is taken.
    # What every container has.
    mkdir "$root/proc" "$root/dev"
    mount -t proc proc "$root/proc"
    mknod -m 666 "$root/dev/random" c 1 8
    mknod -m 666 "$root/dev/urandom" c 1 9
else
    echo "$archive: tried in an empty folder"
    at=$root/$name
    # shellcheck disable=SC2206 # The runner may have words.
    call=(${CSPSYM_RUNNER:-} "$root/$name/bin/cspsym$suffix")
fi
models=$at/share/cspsym/cspm

# `expect STATUS CALL...` runs the program, and leaves what it has printed in `said`.
expect() {
    local expected=$1 status=0
    shift
    echo "\$ cspsym $*"
    said=$("${call[@]}" "$@" 2>&1) || status=$?
    if [ "$status" != "$expected" ]; then
        printf '%s\n' "$said"
        echo "the exit status is $status, not $expected"
        exit 1
    fi
}

# `says TEXT` looks for the text in that, and prints its line.
says() {
    grep -F -m 1 -- "$1" <<<"$said" || {
        printf '%s\n' "$said"
        echo "there is no \`$1\`"
        exit 1
    }
}

expect 0 --version
says "cspsym "
expect 1 check "$models/dijkstra/dijkstra.csp" --threads 2
says "assert SpecME [T= DIJKSTRA: holds"
expect 0 refine 'RUN(Events)' HANOI "$models/hanoi/hanoi.csp" -D POLES=7 -D DISCS=6 --symmetry off \
    --threads 2 --stats
says "117,649"
# Its models include the specifications beside them.
expect 0 typecheck "$models/fischer/fischer.csp"
expect 3 refine 'RUN(Events)' HANOI "$models/hanoi/hanoi.csp" -D POLES=9 -D DISCS=8 --symmetry off \
    --memory-limit 32M
says "error[memory-limit]"
expect 3 refine 'RUN(Events)' HANOI "$models/hanoi/hanoi.csp" -D POLES=9 -D DISCS=9 --symmetry off \
    --timeout 1
says "error[timeout]"
expect 0 man lab check
says ".TH cspsym-lab-check 1"
expect 0 completions bash
says "complete -F _cspsym"
expect 0 help installing
said=$(echo "{\"id\":1,\"method\":\"at\",\"file\":\"$models/vending/vending.csp\",\"process\":\"MACHINE\",\"path\":[]}" | "${call[@]}" api)
says '"name":"coin"'
if [ -e "$root/$name/share/cspsym/cspsym.wasm" ]; then
    expect 0 explore "$models/vending/vending.csp" --export "$at/page"
    ls "$root/$name/page/cspsym.wasm"
fi
"${call[@]}" explore "$models/vending/vending.csp" --no-open --port 0 >"$root/address" 2>"$root/said" &
page=$!
for _ in $(seq 100); do
    if grep -q . "$root/address"; then break; fi
    sleep 0.2
done
echo "\$ curl http://127.0.0.1:…"
said=$(curl --fail --silent --show-error "$(cat "$root/address")")
says "<title>"
ls "$root/$name/share/man/man1/cspsym.1" "$root/$name/share/doc/cspsym/NOTICES"
echo "$archive: tried"
