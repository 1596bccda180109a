#!/usr/bin/env bash
# Prints the changelog that a package for Debian has to have: one entry, of the date of the source.
# The changes themselves are in CHANGELOG.md, which is in the package too.
set -euo pipefail

version=${1:?the version}
date=$(LC_ALL=C date --utc --date="@${SOURCE_DATE_EPOCH:?the date of the source}" '+%a, %d %b %Y %H:%M:%S +0000')
cat <<END
cspsym ($version-1) stable; urgency=medium

  * Version $version; see CHANGELOG.md.

 -- the cspsym developers <developers@cspsym.invalid>  $date
END
