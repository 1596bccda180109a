#!/usr/bin/env bash
# Tries the hooks of `.pre-commit-hooks.yaml` with pre-commit itself, from a new environment of Python,
# in a repository with a script that is right, one with a mistake and one whose assertion fails.
# pre-commit builds the program as it does for users; here it is optimised little, to take less time.
set -euo pipefail
cd "$(dirname "$0")/../.."

source=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
target=$(realpath "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target/hooks CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off
export PRE_COMMIT_HOME=$place/cache GIT_CONFIG_GLOBAL=/dev/null
python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet pre-commit==4.7.0

mkdir -p "$place/repository/models/parts"
cd "$place/repository"
git init --quiet
echo 'channel a : {1..2}' >models/parts/names.csp
printf 'include "parts/names.csp"\nP = a?x -> P\nassert P :[deadlock free]\n' >models/good.csp
printf '%s\n' 'repos:' "  - repo: $source" "    rev: $(git -C "$source" rev-parse HEAD)" '    hooks:' \
    '      - id: cspsym-typecheck' '      - id: cspsym-check' '        args: [models]' \
    >.pre-commit-config.yaml

# `expect STATUS` makes a commit, as somebody does who has the hooks.
expect() {
    local status=0
    git add --all
    git -c user.name=Test -c user.email=test@example.org commit --message change >"$place/said" 2>&1 || status=$?
    cat "$place/said"
    if [ "$status" != "$1" ]; then
        echo "the exit status is $status, not $1"
        exit 1
    fi
}

"$place/python/bin/pre-commit" install
expect 0
grep -q 'cspsym check\.*Passed' "$place/said"
# A part by itself is no script; it is checked as a part of what includes it.
echo 'channel b' >>models/parts/names.csp
expect 0
grep -q 'cspsym typecheck\.*Passed' "$place/said"
printf 'assert STOP [T= a.1 -> STOP\n' >>models/good.csp
expect 1
grep -q 'assert STOP \[T= a.1 -> STOP: fails' "$place/said"
printf 'Q = c -> STOP\n' >>models/good.csp
expect 1
grep -q 'unknown-name' "$place/said"
echo "hooks: tried"
