#!/usr/bin/env bash
# Builds the jar, its sources and its Javadoc in the folder `target/jvm`, or in the one that is
# named. Needs a JDK and the Debian packages libgoogle-gson-java and libjarjar-java.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$root/target/jvm}" && cd "${1:-$root/target/jvm}" && pwd)
jars=${JAVA_JARS:-/usr/share/java}

# The oldest Java on which the jar runs.
release=11
version=$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' "$root/Cargo.toml")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/classes" "$work/javadoc" "$work/META-INF"
find "$here/src/main/java" -name '*.java' -printf '"%p"\n' >"$work/sources"

javac --release $release -encoding UTF-8 -Xlint:all -Werror -cp "$jars/gson.jar" \
    -d "$work/classes" "@$work/sources"

# Gson goes into the jar under another name, so that it is never mixed up with the Gson of a program.
(cd "$work/classes" && jar xf "$jars/gson.jar" com)
cat > "$work/rules" <<'RULES'
rule com.google.gson.** cspsym.gson.@1
RULES
jar cf "$work/mixed.jar" -C "$work/classes" .
java -jar "$jars/jarjar.jar" process "$work/rules" "$work/mixed.jar" "$work/whole.jar"

cp "$root/LICENSE-APACHE" "$root/LICENSE-MIT" "$here/NOTICE" "$work/META-INF/"
cat > "$work/manifest" <<MANIFEST
Implementation-Title: cspsym for the JVM
Implementation-Version: $version
Automatic-Module-Name: uk.ac.ox.cs.fdr
MANIFEST
(
    mkdir "$work/whole" && cd "$work/whole"
    jar xf ../whole.jar && rm -rf META-INF
    jar cfm "$out/fdr.jar" ../manifest -C . . -C .. META-INF
)
jar cf "$out/fdr-sources.jar" -C "$here/src/main/java" . -C "$work" META-INF
javadoc -quiet -Xdoclint:all,-missing -Werror --release $release -encoding UTF-8 -notimestamp \
    -windowtitle "cspsym for the JVM" -cp "$jars/gson.jar" -d "$work/javadoc" \
    -sourcepath "$here/src/main/java" uk.ac.ox.cs.fdr
jar cf "$out/fdr-javadoc.jar" -C "$work/javadoc" .
echo "$out/fdr.jar"
