#!/usr/bin/env bash
# Gets the program for the action: the one that is given, a release, or one that is built here. Says
# where it is in the output `program` of the step.
set -euo pipefail

fail() {
    echo "::error title=cspsym::$1" >&2
    exit 2
}

# Gives `program` to the next step, if it runs.
give() {
    local version
    version=$("$1" --version) ||
        fail "The program \`$1\` does not run here: give one that does as the input \`program\`"
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
    *) fail "There is no release for $RUNNER_OS on $RUNNER_ARCH: give the input \`program\`" ;;
    esac
}

sums() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

if [ -n "$CSPSYM_PROGRAM" ]; then
    path=$(command -v "$CSPSYM_PROGRAM") || fail "There is no program \`$CSPSYM_PROGRAM\`"
    # The next step calls it in another folder.
    case $path in
    /* | ?:*) ;;
    *) path=$PWD/$path ;;
    esac
    # On Windows bash has paths of its own, which node does not know.
    if [ "$RUNNER_OS" = Windows ]; then path=$(cygpath --mixed "$path"); fi
    give "$path"
fi

version=${CSPSYM_VERSION#v}
if [ -z "$version" ] && [[ "$CSPSYM_REF" =~ ^v([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)$ ]]; then
    version=${BASH_REMATCH[1]}
fi
folder=$RUNNER_TEMP/cspsym
mkdir -p "$folder"

if [ -z "$version" ]; then
    # The action came with the source around it.
    source=$(cd "$(dirname "$0")/../.." && pwd)
    cargo install --quiet --locked --path "$source" --root "$folder" ||
        fail "The program cannot be built here: give the input \`version\` or \`program\`"
    give "$folder/bin/cspsym"
fi

target=$(target)
name=cspsym-$version-$target
case $target in *windows*) archive=$name.zip ;; *) archive=$name.tar.gz ;; esac
from=$GITHUB_SERVER_URL/$CSPSYM_REPOSITORY/releases/download/v$version
cd "$folder"
for file in "$archive" "$archive.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$from/$file" ||
        fail "\`$from/$file\` cannot be downloaded: give the input \`version\` of a release, or \`program\`"
done
sums --check --quiet "$archive.sha256" ||
    fail "\`$archive\` is not what its SHA-256 is of: run the job again, or give the input \`program\`"
case $archive in
*.zip) unzip -q -o "$archive" ;;
*) tar -xzf "$archive" ;;
esac || fail "\`$archive\` cannot be unpacked: give the input \`program\`"
case $target in *windows*) program=cspsym.exe ;; *) program=cspsym ;; esac
give "$folder/$name/bin/$program"
