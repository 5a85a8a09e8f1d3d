#!/bin/sh
# Makes the root directory of the container image: what the binary and ping need of Debian, without a
# shell or a package manager.
# Usage: root.sh ARCHITECTURE DIR, on Debian as root. The architecture is Docker's: amd64 or arm64.
# Nothing of that architecture is run, so no emulator is needed.
set -eu
arch=$1
root=$2

# apt resolves for an empty system of that architecture, whatever is installed here.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/debs/partial"
: >"$work/status"
apt() {
  apt-get -qq -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" \
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Dir::Cache::Archives="$work/debs" \
    -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root "$@"
}
apt update
apt install --download-only -y --no-install-recommends libc6 libgcc-s1 libstdc++6 iputils-ping

# Debian 13 has everything below /usr; Debian 12 packs some of it into /lib and /bin.
all=$work/all
for tree in "$all" "$root"; do
  mkdir -p "$tree/usr/bin" "$tree/usr/lib" "$tree/usr/lib64"
  for name in bin lib lib64; do ln -s "usr/$name" "$tree/$name"; done
done
mkdir -p "$root/var/lib/dpkg/status.d"
for deb in "$work"/debs/*.deb; do
  dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$all" --keep-directory-symlink
  # Scanners of images look here for what is installed.
  dpkg-deb -f "$deb" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"
done
cd "$all"
for file in usr/lib64/ld-linux* usr/lib/ld-linux* usr/lib/*/ld-* usr/lib/*/libc.so.6 \
  usr/lib/*/libm.so.6 usr/lib/*/libdl.so.2 usr/lib/*/libpthread.so.0 usr/lib/*/libresolv.so.2 \
  usr/lib/*/libgcc_s.so* usr/lib/*/libstdc++.so* usr/lib/*/libcap.so* usr/lib/*/libidn2.so* \
  usr/lib/*/libunistring.so* usr/share/doc/*/copyright; do
  # A pattern without a file stands for itself: each architecture has its own loader.
  if [ -e "$file" ] || [ -L "$file" ]; then cp -a --parents "$file" "$root/"; fi
done
# A plain copy has no file capability: with one, ping would not start under --cap-drop ALL. Engines
# let every user of a container ping without it.
install -m 755 usr/bin/ping "$root/usr/bin/ping"

mkdir -p "$root/etc" "$root/run"
mkdir -m 1777 "$root/tmp"
cp -L /etc/os-release "$root/etc/os-release"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
cat >"$root/etc/passwd" <<'END'
root:x:0:0:root:/root:/sbin/nologin
stillup:x:1000:1000:stillup:/var/lib/stillup:/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin
END
cat >"$root/etc/group" <<'END'
root:x:0:
stillup:x:1000:
nogroup:x:65534:
END
