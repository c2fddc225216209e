#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch.sh DIR SUITE PACKAGE[:ARCH] MEMBER ...: unpacks members of a Debian package
# below DIR without installing it.  Neither apt's configuration nor its lists are
# touched.  SUITE empty: this system's own.
set -eu
dir=$1 suite=$2 package=$3
shift 3
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null || ! [ -e $keyring ]; then
	echo "$package: this is no Debian that it could be fetched from" >&2
	exit 1
fi
[ -n "$suite" ] || suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

# The mirror that this machine uses itself.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | sed 's/\[[^]]*\]//g' |
	awk '/^(URIs:|deb )/ && $2 ~ /\/debian\/?$/ { print $2; exit }')

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
work=$(mktemp -d "$dir/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p lists/partial cache sources
cat >sources/one.sources <<-END
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Signed-By: $keyring
END
cat >apt.conf <<-END
APT::Architectures { "$(dpkg --print-architecture)"; "${package#*:}"; };
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
APT::Sandbox::User "$(id -un)";
END
case $package in
*:*) ;;
*) sed -i 1d apt.conf ;;
esac
export APT_CONFIG=$work/apt.conf LC_ALL=C
apt-get update -q >&2
apt-get download -q "$package" >&2
dpkg-deb --fsys-tarfile ./*.deb | tar -x -C "$dir" "$@"
