#!/bin/sh
# Makes the image that builds the container image, without any registry of images: Debian 13 by
# debootstrap, with Debian's npm and the certificate authorities of this machine.
# Usage: base.sh NAME, as root, with debootstrap and buildah. Then:
#   buildah build --isolation chroot --build-arg BUILD_IMAGE=NAME -t stillup .
set -eu
name=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
debootstrap --variant=minbase --include=ca-certificates trixie "$work/root" >&2
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/root" / >&2
run() { buildah run --isolation chroot --network host "$container" -- "$@" >&2; }
run apt-get update -qq
run apt-get install -y -qq --no-install-recommends npm
run apt-get clean
buildah add --quiet "$container" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ >&2
buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container" >&2
buildah commit --quiet "$container" "$name"
buildah rm "$container" >&2
