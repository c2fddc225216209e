#!/bin/sh
# SPDX-License-Identifier: MIT
# get.sh TAG: one of Debian's kernels, its headers and its build tools, unpacked
# under build/kernel/TAG/root.  Nothing is installed, no architecture is added: apt works
# on a state of its own.  What is there already is not fetched again.
set -eu
. harness/kernel/lib.sh
kernel "$1"
[ ! -e "$dir/unpacked" ] || exit 0
need apt-get apt
need dpkg-deb dpkg

top=$PWD/build/kernel
host=$(dpkg --print-architecture)
mkdir -p "$top/apt/lists/partial" "$top/apt/cache/archives/partial" "$top/apt/etc" "$top/debs"
# The machine's own mirror where it names one.
if [ -e /etc/apt/sources.list.d/debian.sources ]; then
	cp /etc/apt/sources.list.d/debian.sources "$top/apt/etc/"
else
	cat >"$top/apt/etc/debian.sources" <<-SOURCES
	Types: deb
	URIs: http://deb.debian.org/debian
	Suites: bookworm
	Components: main
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

	Types: deb
	URIs: http://deb.debian.org/debian-security
	Suites: bookworm-security
	Components: main
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	SOURCES
fi
cat >"$top/apt/conf" <<CONF
APT::Architecture "$host"; APT::Architectures { "amd64"; "arm64"; };
Dir::State::lists "$top/apt/lists"; Dir::Cache "$top/apt/cache";
Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "$top/apt/etc";
Acquire::Languages "none"; Acquire::Retries "1"; Acquire::http::Timeout "20"; APT::Sandbox::User "root";
CONF
export APT_CONFIG=$top/apt/conf
ls "$top"/apt/lists/*Packages* >/dev/null 2>&1 ||
	apt-get -qq -o APT::Update::Error-Mode=any update >&2 || skip "Debian's package lists cannot be fetched; is there a network?"

# A meta package names the current version.
image=$(apt-cache depends "linux-image-$meta:$deb_arch" 2>/dev/null |
	sed -n 's/^ *Depends: *\(linux-image-[0-9][^ :]*\).*/\1/p' | head -1)
[ -n "$image" ] || skip "Debian's lists know no linux-image-$meta:$deb_arch"
version=${image#linux-image-}
headers=linux-headers-$version
common=linux-headers-${version%-cloud-*}-common
case $tag in
*-6.1) kbuild=linux-kbuild-6.1 ;;
*) kbuild=linux-kbuild-${version%-cloud-*} ;;
esac

fetch() {
	for p; do
		ls "$top/debs/${p%%:*}_"*"${p##*:}.deb" >/dev/null 2>&1 ||
			(cd "$top/debs" && apt-get -qq download "$p") ||
			skip "$p cannot be downloaded: no network, or lists that are too old (rm -r build/kernel/apt)"
	done
}
fetch "$image:$deb_arch" "$headers:$deb_arch" "$kbuild:$host"
ls "$top/debs/${common}_"* >/dev/null 2>&1 || (cd "$top/debs" && apt-get -qq download "$common") ||
	skip "$common cannot be downloaded"

rm -rf "$root"
mkdir -p "$root"
dpkg-deb --fsys-tarfile "$top/debs/${image}_"*"_$deb_arch.deb" | tar -x -C "$root" --wildcards './boot/vmlinuz-*' './boot/config-*'
for deb in "$top/debs/${headers}_"*"_$deb_arch.deb" "$top/debs/${common}_"*.deb "$top/debs/${kbuild}_"*"_$host.deb"; do
	dpkg-deb -x "$deb" "$root"
done
# The one place that knows where the packages would have been installed.
sed -i "s#include /usr/src#include $root/usr/src#" "$root/usr/src/$headers/Makefile"
echo "$version" >"$dir/unpacked"
