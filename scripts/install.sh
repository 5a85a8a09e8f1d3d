#!/bin/sh
# Installs stillup as a systemd service, upgrades it, or removes it. Needs root, systemd 250 or later
# and glibc 2.36 or later. `install.sh --help` says how; docs/install.md says what it does.
set -eu

# shellcheck disable=SC2016 # the name of the variable is meant
usage='Usage: install.sh [options]

Installs stillup on this machine, or upgrades it. Run again it changes nothing.

  --from PLACE    what to install: a directory (that of a release, as extracted), a tarball, or the
                  address of a tarball: https, or http with --sha256. SHA256SUMS is expected
                  beside a tarball. Default: the directory of this script, else the newest release
                  at $STILLUP_DOWNLOAD_URL
  --sha256 SUM    the sum that the tarball must have, instead of SHA256SUMS
  --ping          also permit ping monitors to use ICMP (systemd/ping.conf)
  --browser       also provide a browser for monitors that open pages (systemd/stillup-browser.service)
  --low-ports     also permit ports below 1024, such as 443 (systemd/low-ports.conf)
  --no-start      neither start nor restart the service
  --no-backup     upgrade without a backup of the data before
  --uninstall     remove the service and the program; data, settings and master key stay
  --purge         with --uninstall: remove those, too, after asking
  --yes           with --purge: do not ask
  --root DIR      install below DIR, such as the tree of an image; starts nothing
  -h, --help      print this text

Variables
  STILLUP_DOWNLOAD_URL  the address of the folder that holds SHA256SUMS and the tarballs

Exit codes: 0 done, 1 it could not be done, 64 wrong command line.'

glibc_min=2.36
systemd_min=250

from=
sum=
root=
starts=yes
backs_up=yes
uninstalls=
purges=
is_sure=
drop_ins=
work=
staged=
changed=
former=
placed=

say() { printf '%s\n' "$*"; }
warn() { printf 'install.sh: %s\n' "$*" >&2; }
fail() {
  warn "$*"
  exit 1
}
wrong() {
  warn "$*"
  say "install.sh --help lists the options." >&2
  exit 64
}
has() { command -v "$1" >/dev/null 2>&1; }

clean_up() {
  [ -z "$work" ] || rm -rf "$work"
  [ -z "$staged" ] || rm -f "$staged"
}

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
    --from | --sha256 | --root)
      if [ $# -lt 2 ] || [ -z "$2" ]; then wrong "$1 needs a value"; fi
      case $1 in
      --from) from=$2 ;;
      --sha256) sum=$2 ;;
      --root) root=${2%/} starts= ;;
      esac
      shift
      ;;
    --ping) drop_ins="$drop_ins ping" ;;
    --browser) drop_ins="$drop_ins browser" ;;
    --low-ports) drop_ins="$drop_ins low-ports" ;;
    --no-start) starts= ;;
    --no-backup) backs_up= ;;
    --uninstall) uninstalls=yes ;;
    --purge) purges=yes ;;
    --yes) is_sure=yes ;;
    -h | --help)
      say "$usage"
      exit 0
      ;;
    *) wrong "there is no option $1" ;;
    esac
    shift
  done
  [ -z "$purges" ] || [ -n "$uninstalls" ] || wrong '--purge needs --uninstall'
}

name_places() {
  program=$root/usr/local/bin/stillup
  lib=$root/usr/local/lib/stillup
  natives=$lib/native
  previous=$lib/previous/stillup
  share=$root/usr/local/share/stillup
  units=$root/etc/systemd/system
  unit=$units/stillup.service
  unit_drop_ins=$units/stillup.service.d
  browser=$units/stillup-browser.service
  pings=$root/etc/sysctl.d/10-stillup-ping.conf
  config=$root/etc/stillup
  key=$config/master.key
  # DynamicUser=yes puts the data here and makes /var/lib/stillup a link to it.
  data=$root/var/lib/private/stillup
  bash_completion=$root/usr/local/share/bash-completion/completions/stillup
  zsh_completion=$root/usr/local/share/zsh/site-functions/_stillup
  fish_completion=$root/usr/local/share/fish/vendor_completions.d/stillup.fish
}

# ---- what this machine is

is_at_least() {
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

check_machine() {
  [ "$(uname -s)" = Linux ] || fail "this is $(uname -s); stillup runs on Linux"
  case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no build for $(uname -m): only for x86-64 and arm64 (64 bits)" ;;
  esac
  [ "$(id -u)" = 0 ] || fail 'this needs root: run it with sudo'
  [ -z "$root" ] || return 0
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
  case $libc in
  'glibc '*) libc=${libc#glibc } ;;
  *) fail 'this system has no glibc (Alpine has musl): use the container image instead' ;;
  esac
  is_at_least "$libc" "$glibc_min" ||
    fail "glibc is $libc here, and $glibc_min or later is needed (Debian 12, Ubuntu 24.04): use the container image instead"
  has systemctl || fail 'there is no systemd here: run the binary under your own supervisor (docs/install.md)'
  systemd=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  [ "${systemd:-0}" -ge "$systemd_min" ] ||
    fail "systemd is ${systemd:-unknown} here, and $systemd_min or later is needed"
  # In a chroot, or while an image is built.
  if [ -n "$starts" ] && [ ! -d /run/systemd/system ]; then
    fail 'systemd is not running here: use --no-start to install without starting anything'
  fi
}

# ---- what to install

find_release() {
  here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
  if [ -z "$from" ] && [ -f "$here/stillup" ]; then from=$here; fi
  if [ -z "$from" ]; then
    [ -n "${STILLUP_DOWNLOAD_URL:-}" ] ||
      wrong 'there is no stillup beside this script: use --from, or set STILLUP_DOWNLOAD_URL'
    from=${STILLUP_DOWNLOAD_URL%/}/
  fi
  case $from in
  http://*)
    must_not_be_changed
    download
    ;;
  https://*) download ;;
  *) [ -e "$from" ] || fail "there is no $from" ;;
  esac
  if [ -d "$from" ]; then
    release=$from
    check_directory
  else
    check_tarball "$from"
    extract "$from"
  fi
  # Not -x, which is false on a file system that is mounted noexec, as /tmp may be.
  [ -f "$release/stillup" ] || fail "$from holds no program stillup"
  [ -f "$release/systemd/stillup.service" ] || fail "$from holds no systemd/stillup.service"
}

# Whoever is on the way of plain http can change the tarball and SHA256SUMS alike.
must_not_be_changed() {
  if [ -n "$sum" ]; then return 0; fi
  say "$from" | grep -Eq '^http://(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?/' ||
    fail "$from is plain http, where the tarball and its SHA256SUMS can be changed on the way: use https, or give the sum of the tarball with --sha256"
}

fetch() {
  if has curl; then
    case $1 in
    https://*) secure='--proto-redir =https' ;;
    *) secure= ;;
    esac
    # shellcheck disable=SC2086 # nothing, or an option and its value
    curl -fsSL $secure --retry 2 -o "$2" "$1" || fail "$1 could not be downloaded"
  elif has wget; then
    wget -q -O "$2" "$1" || fail "$1 could not be downloaded"
  else
    fail 'neither curl nor wget is installed: download the tarball elsewhere and use --from FILE'
  fi
}

# Turns an address into a file with SHA256SUMS beside it.
download() {
  folder=${from%/*}
  tarball=${from##*/}
  if [ -z "$sum" ]; then fetch "$folder/SHA256SUMS" "$work/SHA256SUMS"; fi
  if [ -z "$tarball" ]; then
    [ -z "$sum" ] || wrong '--sha256 needs the address of a tarball'
    tarball=$(sed -n "s/^[0-9a-f]*[ *]*\(stillup-.*-linux-$arch\.tar\.xz\)\$/\1/p" "$work/SHA256SUMS" |
      sort -V | tail -n 1)
    [ -n "$tarball" ] || fail "$folder/SHA256SUMS names no tarball for $arch"
  fi
  say "downloading $folder/$tarball"
  fetch "$folder/$tarball" "$work/$tarball"
  from=$work/$tarball
}

sum_of() { sha256sum -- "$1" | cut -c 1-64; }

check_tarball() {
  file=${1##*/}
  expected=$sum
  if [ -z "$expected" ]; then
    sums=$(dirname -- "$1")/SHA256SUMS
    [ -f "$sums" ] || fail "there is no SHA256SUMS beside $file: put it there, or use --sha256"
    expected=$(awk -v name="$file" '{ sub(/^\*/, "", $2) } $2 == name { print $1; exit }' "$sums")
    [ -n "$expected" ] || fail "SHA256SUMS does not name $file"
  fi
  [ "$(sum_of "$1")" = "$expected" ] ||
    fail "$file is damaged, or is not what was released: its SHA-256 is not $expected"
}

# A directory was extracted by somebody else; its own sums tell whether it is whole.
check_directory() {
  [ -f "$release/SHA256SUMS" ] || return 0
  (cd "$release" && sha256sum --quiet --check SHA256SUMS) >&2 ||
    fail "$release is damaged: its files differ from its SHA256SUMS"
}

extract() {
  has xz || fail 'xz is not installed (Debian: xz-utils): extract the tarball elsewhere and use --from DIR'
  mkdir "$work/release"
  tar -xJf "$1" --no-same-owner -C "$work/release" || fail "$1 cannot be extracted"
  release=
  for one in "$work"/release/*/; do
    [ -z "$release" ] || fail "$1 holds more than one folder"
    release=${one%/}
  done
  case $release in
  *-linux-"$arch") ;;
  *) fail "${release##*/} is not for this machine ($arch)" ;;
  esac
}

# ---- placing files

# Replaces a file in one step, only if it differs. put MODE SOURCE TARGET
put() {
  placed=
  if [ -f "$3" ] && [ ! -L "$3" ] && cmp -s "$2" "$3" && [ "$(stat -c %a "$3")" = "$1" ]; then
    return 0
  fi
  mkdir -p "$(dirname "$3")"
  install -m "$1" "$2" "$3.new"
  mv -f "$3.new" "$3"
  say "installed $3"
  placed=yes
  changed=yes
}

# The binary is tried on this machine before it takes the place of the former one.
place_program() {
  if [ -f "$program" ] && cmp -s "$release/stillup" "$program"; then
    version=$("$program" --version)
    return 0
  fi
  mkdir -p "$(dirname "$program")"
  staged=$program.new
  install -m 755 "$release/stillup" "$staged"
  version=$(try "$staged") ||
    fail "the program does not run on this machine: ${version:-it printed nothing}"
  if [ -x "$program" ]; then
    former=$("$program" --version 2>/dev/null || say unknown)
    back_up
    mkdir -p "$(dirname "$previous")"
    ln -f "$program" "$previous" 2>/dev/null || cp -f "$program" "$previous"
  fi
  # A daemon that runs keeps the former file until it is restarted.
  mv -f "$staged" "$program"
  staged=
  say "installed $program"
  changed=yes
}

try() { "$1" --version 2>&1; }

# In a chroot, `systemctl is-active` answers yes to everything.
is_running() {
  [ -z "$root" ] && [ -d /run/systemd/system ] && systemctl is-active --quiet stillup
}

# Only a daemon that runs can be asked; the data of a stopped one is migrated at its next start, which
# makes a backup by itself.
back_up() {
  if [ -z "$backs_up" ] || ! is_running; then return 0; fi
  say "backing up the data before the upgrade from $former to $version"
  code=0
  STATE_DIRECTORY=/var/lib/stillup "$program" backup create || code=$?
  case $code in
  0) ;;
  64) warn "stillup $former has no backups: going on without" ;;
  *) fail 'the backup failed, so nothing was changed; --no-backup upgrades without' ;;
  esac
}

place_natives() {
  code=0
  "$program" native-extract "$natives" >/dev/null || code=$?
  [ "$code" = 0 ] || fail "the native code could not be put into $natives (exit code $code)"
}

place_completions() {
  for shell in bash zsh fish; do
    eval "target=\$${shell}_completion"
    # A shell that is not installed needs none.
    [ -n "$root" ] || has "$shell" || continue
    "$program" completion "$shell" >"$work/completion" 2>/dev/null || continue
    # shellcheck disable=SC2154 # the eval above sets it
    put 644 "$work/completion" "$target"
  done
}

place_unit() {
  if [ -f "$unit" ] && grep -q '^ExecStart=/opt/stillup/' "$unit"; then
    say 'note: the service ran a tree in /opt/stillup until now; it runs the binary from now on'
  fi
  put 644 "$release/systemd/stillup.service" "$unit"
  # Not known where the tree of an image will be booted, so the settings of all versions are used.
  if [ -z "$root" ] && [ "$systemd" -ge 253 ]; then
    put 644 "$release/systemd/systemd-253.conf" "$unit_drop_ins/systemd-253.conf"
  elif [ -f "$unit_drop_ins/systemd-253.conf" ]; then
    rm -f "$unit_drop_ins/systemd-253.conf"
    changed=yes
  fi
  for one in $drop_ins; do
    put 644 "$release/systemd/$one.conf" "$unit_drop_ins/$one.conf"
    if [ "$one" = browser ] && [ -z "$root" ] && ! has chromium-headless-shell; then
      say "note: there is no chromium-headless-shell yet: apt install it, or name another browser as $browser says"
    fi
    [ "$one" = ping ] || continue
    put 644 "$release/systemd/10-stillup-ping.conf" "$pings"
    if [ -n "$placed" ] && [ -z "$root" ] && [ -d /run/systemd/system ]; then systemctl restart systemd-sysctl; fi
  done
  # Also where it was installed before.
  [ ! -f "$unit_drop_ins/browser.conf" ] || put 644 "$release/systemd/stillup-browser.service" "$browser"
  for one in "$release"/systemd/*.conf; do
    put 644 "$one" "$share/systemd/${one##*/}"
  done
}

place_papers() {
  for one in LICENSE NOTICE THIRD-PARTY-LICENSES.txt sbom.cdx.json install.sh; do
    [ -f "$release/$one" ] || continue
    case $one in
    install.sh) put 755 "$release/$one" "$share/$one" ;;
    *) put 644 "$release/$one" "$share/$one" ;;
    esac
  done
}

place_settings() {
  mkdir -p "$config"
  put 644 "$release/stillup.toml" "$config/stillup.toml.example"
  # Only the first one says where the data is, so that commands find the daemon.
  if [ ! -e "$config/stillup.toml" ]; then
    sed 's|^#dir = "/var/lib/stillup"$|dir = "/var/lib/stillup"|' "$release/stillup.toml" \
      >"$work/stillup.toml"
    put 644 "$work/stillup.toml" "$config/stillup.toml"
  fi
}

# A new key does not open the secrets in data that exists already.
check_key() {
  if [ -s "$key" ]; then return 0; fi
  if [ -e "$data/data.mdb" ] && [ ! -e "$data/master.key" ]; then
    fail "there is data in $data, but $key is missing: put back the key that the data was written with"
  fi
  if [ -e "$data/master.key" ]; then
    fail "the key of the data in $data lies beside it: move $data/master.key to $key first"
  fi
}

# Never replaced: without the former one, the secrets in the data would be lost.
place_key() {
  if [ -s "$key" ]; then
    [ "$(stat -c %a "$key")" = 600 ] || warn "others may read $key: chmod 600 $key"
    return 0
  fi
  mkdir -p "$config"
  (
    umask 077
    head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$key.new"
    echo >>"$key.new"
  )
  mv -f "$key.new" "$key"
  say "made the master key $key: it opens the secrets in the data."
  say 'Keep a copy of it in another place, apart from the backups.'
  changed=yes
}

# ---- starting

start_service() {
  if [ -n "$root" ] || [ ! -d /run/systemd/system ]; then
    # As `systemctl enable` does.
    mkdir -p "$units/multi-user.target.wants"
    ln -sfn /etc/systemd/system/stillup.service "$units/multi-user.target.wants/stillup.service"
    return 0
  fi
  [ -z "$changed" ] || systemctl daemon-reload
  systemctl is-enabled --quiet stillup 2>/dev/null || systemctl enable --quiet stillup
  [ -n "$starts" ] || return 0
  if ! is_running; then
    action=start
  elif [ -n "$changed" ]; then
    action=restart
  else
    return 0
  fi
  say "$action: waiting until stillup is ready"
  if ! systemctl "$action" stillup; then
    warn "stillup $version did not become ready. Its last lines:"
    journalctl -u stillup -o cat --no-pager -n 20 >&2 || true
    if [ -n "$former" ]; then say_way_back >&2; fi
    exit 1
  fi
}

say_way_back() {
  say "The former program is kept. To go back to $former:"
  say '  systemctl stop stillup'
  say "  install -m 755 $previous $program && $program native-extract $natives"
  say '  systemctl start stillup'
  say 'If it says that the data is of a later version, restore the backup first: stillup restore --help'
}

say_result() {
  if [ -n "$former" ] && [ "$former" != "$version" ]; then
    say "stillup $version has taken the place of $former."
    say_way_back
  elif [ -z "$changed" ]; then
    say "stillup $version is installed already: nothing was changed."
  else
    say "stillup $version is installed."
  fi
  [ -z "$root" ] || return 0
  say "  settings    $config/stillup.toml    (then: systemctl reload stillup, or restart)"
  say "  master key  $key"
  say "  data        $data"
  say '  log         journalctl -u stillup -o cat'
  if ! is_running; then
    say 'Start it with: systemctl start stillup'
    return 0
  fi
  [ -n "$changed" ] || return 0
  # Printed by the daemon at each start until the first account exists; former starts do not count.
  run=$(systemctl show --property=InvocationID --value stillup)
  first=$(journalctl "_SYSTEMD_INVOCATION_ID=$run" -o cat --no-pager -n 400 2>/dev/null |
    grep -A 1 'has no account yet' | tail -n 2 || true)
  [ -n "$first" ] || return 0
  say "$first"
  port=$(say "$first" | sed -n 's,^http://\(127\.0\.0\.1\|localhost\):\([0-9]*\)/.*,\2,p')
  [ -n "$port" ] || return 0
  say "To open it on another machine, run there: ssh -L $port:127.0.0.1:$port SERVER"
}

# ---- removing

uninstall() {
  # Before anything is removed.
  if [ -n "$purges" ]; then confirm_purge; fi
  if [ -z "$root" ] && has systemctl && [ -d /run/systemd/system ]; then
    systemctl disable --now --quiet stillup 2>/dev/null || true
  elif [ -L "$units/multi-user.target.wants/stillup.service" ]; then
    rm -f "$units/multi-user.target.wants/stillup.service"
  fi
  for one in "$program" "$unit" "$browser" "$pings" "$bash_completion" "$zsh_completion" "$fish_completion"; do
    if [ -e "$one" ]; then
      rm -f "$one"
      say "removed $one"
    fi
  done
  for one in ping browser low-ports systemd-253; do rm -f "$unit_drop_ins/$one.conf"; done
  # Drop-ins of the operator stay.
  rmdir "$unit_drop_ins" 2>/dev/null || true
  for one in "$lib" "$share"; do
    [ -d "$one" ] || continue
    rm -rf "$one"
    say "removed $one"
  done
  if [ -z "$root" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl reset-failed stillup 2>/dev/null || true
  fi
  if [ -n "$purges" ]; then
    purge
    return 0
  fi
  say 'These are kept, so that an installation finds them again:'
  for one in "$config" "$data"; do [ ! -e "$one" ] || say "  $one"; done
}

confirm_purge() {
  if [ -n "$is_sure" ]; then return 0; fi
  say "This deletes all data in $data, and $config with the master key,"
  say 'without which no backup of the data can be opened. Type yes to go on:'
  answer=
  read -r answer || true
  [ "$answer" = yes ] || fail 'not confirmed: nothing was removed'
}

purge() {
  rm -rf "$data" "$config"
  rm -f "$root/var/lib/stillup"
  say "removed $data and $config"
}

main() {
  read_options "$@"
  name_places
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  if [ -n "$uninstalls" ]; then
    [ "$(id -u)" = 0 ] || fail 'this needs root: run it with sudo'
    uninstall
    return 0
  fi
  check_machine
  work=$(mktemp -d)
  find_release
  check_key
  place_program
  place_key
  place_natives
  place_unit
  place_settings
  place_completions
  place_papers
  start_service
  say_result
}

# Read as a whole before it runs, so that a download that was cut short does nothing.
main "$@"
