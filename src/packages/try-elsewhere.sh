#!/usr/bin/env bash
# Makes the packages for the machine `TARGET`, which is not this one, in the folder `OUT`, and tries
# the archive in a new Debian, where wine or qemu runs the program. `CSPSYM` is the program here.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?the target}
out=${2:?the folder for the packages}
# What cannot be tried here is a failure only where everything has to be.
without() {
    echo "packages: not tried for $target ($1)"
    if [ "${CI:-}" = true ]; then exit 1; fi
    exit 0
}

case $target in
x86_64-pc-windows-gnu)
    compiler=x86_64-w64-mingw32-gcc
    needs=(gcc-mingw-w64-x86-64 p7zip-full)
    others=(wine wine64 unzip)
    ending=zip
    # wine itself may end with 0 while threads of the program still end; `cmd` ends as the program.
    # shellcheck disable=SC2016 # A shell there expands it.
    runner='program=Z:$(echo "$1" | tr / "\\\\"); shift; exec wine64 cmd /c "$program" "$@"'
    ;;
aarch64-unknown-linux-gnu)
    compiler=aarch64-linux-gnu-gcc
    needs=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
    others=(qemu-user)
    ending=tar.gz
    runner='exec qemu-aarch64 "$@"'
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$compiler
    ;;
*) without "nothing is known of it" ;;
esac
if [ "$(uname -m)" != x86_64 ] || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    without "this needs Linux on x86-64, root and debootstrap"
fi
rustup target add "$target" || without "rustup has no such target"
if ! command -v "$compiler" >/dev/null; then
    apt-get update -qq || true
    apt-get install -y -qq --no-install-recommends "${needs[@]}" >/dev/null || true
    command -v "$compiler" >/dev/null || without "there is no $compiler"
fi
TARGET=$target bash .ci/package "$out"

root=$(mktemp -d)
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/wine HOME=/root XDG_RUNTIME_DIR=/root \
        LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive WINEDEBUG=-all chroot "$root" "$@"
}
clean() {
    if [ "$ending" = zip ]; then inside wineserver --kill || true; fi
    if [ -e "$root/proc/self" ]; then umount --lazy "$root/proc"; fi
    rm -rf "$root"
}
trap clean EXIT
# Wine of Debian 12 is too old for programs in Rust.
debootstrap --variant=minbase trixie "$root" >"$root.log" 2>&1 || {
    cat "$root.log"
    exit 1
}
rm "$root.log"
mount -t proc proc "$root/proc"
inside apt-get install -y -qq --no-install-recommends curl "${others[@]}" >/dev/null
version=$(cargo pkgid --package cspsym | sed 's/.*[#@]//')
archive=cspsym-$version-$target.$ending
cp src/packages/try-archive.sh "$out/$archive" "$root/root/"
printf '%s\n' '#!/bin/sh' "$runner" >"$root/root/run"
chmod +x "$root/root/run"
inside env CSPSYM_RUNNER=/root/run bash /root/try-archive.sh "/root/$archive"
