#!/bin/sh
# Makes a base for the Dockerfile, as a tar file, from Debian's packages and the build of Node.js on
# npm, so that no image from elsewhere is needed:
#
#   make-base.sh build build.tar       BASE: the smallest Debian, Node.js and npm
#   make-base.sh runtime runtime.tar   RUNTIME: Node.js and its libraries, without a shell or tools
#
# Needs Debian's packages mmdebstrap, binutils and npm. The page docs/guides/running.md imports the
# files. SUITE names another release of Debian, NODE_VERSION another version of Node.js.
set -eu

suite=${SUITE:-bookworm}
node=${NODE_VERSION:-24}
kind=$1
file=$(realpath "$2")
case $kind-$(dpkg --print-architecture) in
  build-amd64 | runtime-amd64) cpu=x64 ;;
  build-arm64 | runtime-arm64) cpu=arm64 ;;
  *) echo 'Name build or runtime, and run this on amd64 or arm64.' >&2; exit 1 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The hooks of mmdebstrap may run as another user.
chmod 755 "$work"
export work

# Unpacks a package of npm into a folder.
unpack() {
  packed=$(npm pack --loglevel=error --pack-destination "$work" "$1")
  mkdir "$work/$2"
  tar -xzf "$work/$packed" -C "$work/$2" --strip-components=1
}
unpack "node-linux-$cpu@$node" node
# A seventh of the program are names of functions, which only debuggers read.
strip "$work/node/bin/node"

# Hooks get the folder of the new system as their first argument.
cat > "$work/add-node" <<'HOOK'
set -eu
cd "$1"
install -D -m 755 "$work/node/bin/node" usr/bin/node
install -D -m 644 "$work/node/LICENSE" usr/share/doc/node/copyright
echo 'node:x:1000:1000:node:/home/node:/usr/sbin/nologin' >> etc/passwd
echo 'node:x:1000:' >> etc/group
install -d -o 1000 -g 1000 home/node
HOOK

cat > "$work/add-npm" <<'HOOK'
set -eu
cd "$1"
mkdir -p usr/lib/node_modules
cp -R "$work/npm" usr/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js usr/bin/npm
ln -s ../lib/node_modules/npm/bin/npx-cli.js usr/bin/npx
HOOK

# Scanners read a file for each package where dpkg is missing. base-files asks for mawk, a tool.
cat > "$work/leave-libraries" <<'HOOK'
set -eu
cd "$1"
mkdir var/lib/dpkg/status.d
for deb in var/cache/apt/archives/*.deb; do
  name=$(dpkg-deb --field "$deb" Package)
  [ "$name" = mawk ] || dpkg-deb --field "$deb" > "var/lib/dpkg/status.d/$name"
done
find usr/share/doc -type f ! -name copyright -delete
rm -rf usr/bin/* usr/lib/*/gconv usr/share/doc/mawk
for name in base-files gcc gdb info lintian locale man; do rm -rf "usr/share/$name"; done
HOOK

if [ "$kind" = build ]; then
  unpack npm@11 npm
  mmdebstrap --quiet --variant=minbase --include=ca-certificates \
    --customize-hook="sh $work/add-node \"\$1\"" --customize-hook="sh $work/add-npm \"\$1\"" \
    "$suite" "$file"
else
  mmdebstrap --quiet --variant=extract --include=base-files,libc6,libgcc-s1,libstdc++6 \
    --extract-hook="sh $work/leave-libraries \"\$1\"" --extract-hook="sh $work/add-node \"\$1\"" \
    "$suite" "$file"
fi
