#!/usr/bin/env bash
# Gets the program for the action: the one that is given, a release, or one that is built here. Says
# where it is in the output `program` of the step.
set -euo pipefail

# Gives `program` to the next step, if it runs.
give() {
    local version
    version=$("$1" --version)
    echo "The program is $version, $1"
    echo "program=$1" >>"$GITHUB_OUTPUT"
    exit 0
}

# The name that Rust has for this machine; those of Linux are static.
target() {
    case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) echo x86_64-unknown-linux-gnu ;;
    Linux-ARM64) echo aarch64-unknown-linux-gnu ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    Windows-X64) echo x86_64-pc-windows-msvc ;;
    *)
        echo "::error title=cspsym::There is no release for $RUNNER_OS on $RUNNER_ARCH: give the input \`program\`" >&2
        exit 2
        ;;
    esac
}

sums() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

if [ -n "$CSPSYM_PROGRAM" ]; then
    path=$(command -v "$CSPSYM_PROGRAM") || {
        echo "::error title=cspsym::There is no program \`$CSPSYM_PROGRAM\`" >&2
        exit 2
    }
    give "$path"
fi

version=${CSPSYM_VERSION#v}
if [ -z "$version" ] && [[ "$CSPSYM_REF" =~ ^v([0-9]+\.[0-9]+\.[0-9]+)$ ]]; then
    version=${BASH_REMATCH[1]}
fi
folder=$RUNNER_TEMP/cspsym
mkdir -p "$folder"

if [ -z "$version" ]; then
    # The action came with the source around it.
    source=$(cd "$(dirname "$0")/../.." && pwd)
    cargo install --quiet --locked --path "$source" --root "$folder"
    give "$folder/bin/cspsym"
fi

target=$(target)
name=cspsym-$version-$target
case $target in *windows*) archive=$name.zip ;; *) archive=$name.tar.gz ;; esac
from=$GITHUB_SERVER_URL/$CSPSYM_REPOSITORY/releases/download/v$version
cd "$folder"
for file in "$archive" "$archive.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$from/$file"
done
sums --check --quiet "$archive.sha256"
case $archive in
*.zip) unzip -q -o "$archive" ;;
*) tar -xzf "$archive" ;;
esac
case $target in *windows*) program=cspsym.exe ;; *) program=cspsym ;; esac
give "$folder/$name/bin/$program"
