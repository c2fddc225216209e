#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch.sh DIR: Lua's source package from Debian, unpacked as DIR/src.
#
# With a private apt configuration under DIR, since the machine's own has
# mostly no deb-src entries and is not ours to change.  Where it points to
# comes from the machine's configuration.  Exit 77: cannot be had, the reason
# is on stdout.
set -eu

package=lua5.4
dir=$1
[ -e "$dir/src/lua.c" ] && exit 0

give_up() { echo "$*"; exit 77; }

for tool in apt-get dpkg-source; do
	command -v $tool >/dev/null || give_up "$tool is missing (make deps)"
done

rm -rf "$dir"
mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/download"
dir=$(cd "$dir" && pwd)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
signed=
[ -e $keyring ] && signed="[signed-by=$keyring] "

# shellcheck disable=SC2016 # apt expands these
apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
	awk -v signed="$signed" '$2 == "main" && /debian/ && !seen[$0]++ {
		print "deb-src " signed $3, $1, $2 }' >"$dir/sources.list"
[ -s "$dir/sources.list" ] || give_up "no Debian source is configured on this machine"

apt() {
	apt-get -q -o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o Acquire::Languages=none -o Acquire::Retries=1 \
		-o Acquire::http::Timeout=20 -o APT::Sandbox::User= "$@" >>"$dir/log" 2>&1
}
apt update || give_up "the source index cannot be fetched (see ${dir#"$PWD"/}/log)"
(cd "$dir/download" && apt source --download-only $package) ||
	give_up "$package cannot be fetched (see ${dir#"$PWD"/}/log)"
(cd "$dir/download" && dpkg-source --no-check -x ./*.dsc "$dir/unpacked" >>"$dir/log" 2>&1) ||
	give_up "$package cannot be unpacked (see ${dir#"$PWD"/}/log)"
rm -rf "$dir/lists" "$dir/cache"
# The package's build writes this one; where extensions lie matters to nobody here.
echo '#define DEB_HOST_MULTIARCH "."' >"$dir/unpacked/src/$package-deb-multiarch.h"
mv "$dir/unpacked/src" "$dir/src"
