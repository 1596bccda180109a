#!/usr/bin/env bash
# Tries a package for Debian: installs it into a new system without anything else, and uses the
# program there as a user with an empty home.
set -euo pipefail

package=$(realpath "${1:?the package}")
release=${2:-bookworm}
if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "packages: $package is not tried (this needs Linux, root and debootstrap)"
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
fi

if command -v lintian >/dev/null; then lintian --fail-on error,warning "$package"; fi

root=$(mktemp -d)
chmod 755 "$root" # A user has to see it as `/`.
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase "$release" "$root" >"$root.log" 2>&1 || {
    cat "$root.log"
    exit 1
}
rm "$root.log"
cp "$package" "$root/cspsym.deb"
# The shell in the new system, with what is typed.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$root" "$@"; }
inside dpkg --install /cspsym.deb
inside useradd --create-home student
inside su student -c 'bash -x -e -u -o pipefail' <<'END'
cd
test -z "$(ls)"
command -v cspsym
cspsym --version
cspsym check /usr/share/cspsym/cspm/dijkstra/dijkstra.csp --assertion 2
cspsym typecheck /usr/share/cspsym/cspm
cat > tickets.csp <<'CSP'
datatype CLERK = Ann | Bob
channel look, sell : CLERK
DESK(c) = look.c -> sell.c -> STOP
assert sell?c -> STOP [T= (||| c : CLERK @ DESK(c)) \ {| look |}
CSP
status=0; cspsym check tickets.csp --report tickets.html || status=$?
test "$status" = 1
test -s tickets.html
echo '{"id":1,"method":"problems","file":"tickets.csp"}' | cspsym api
zcat /usr/share/man/man1/cspsym-check.1.gz | head -5
source /usr/share/bash-completion/completions/cspsym
complete -p cspsym
cspsym lab start refinement
ls refinement
END
inside dpkg --purge cspsym
left=$(find "$root/usr" -name '*cspsym*')
test -z "$left" || { echo "$left is left"; exit 1; }
echo "$package: tried in $release"
