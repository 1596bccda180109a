#!/usr/bin/env bash
# Writes the bill of materials of the program, in the form of CycloneDX, into the folder `OUT`.
set -euo pipefail

out=${1:?the folder}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../.."
version=$(cargo pkgid --package cspsym | sed 's/.*[#@]//')
# It is written beside the manifest of each crate, so a copy of the source is taken.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git archive HEAD | tar -x -C "$copy"
(cd "$copy" && cargo cyclonedx --quiet --format json --spec-version 1.5 --all)
cp "$copy/cspsym.cdx.json" "$out/cspsym-$version.cdx.json"
