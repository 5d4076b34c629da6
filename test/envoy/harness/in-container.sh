#!/bin/sh
# Runs a program as a container does: it sees this machine's programs and libraries, /tmp and /dev/shm of its own, and what is laid over them.
# Needs a mount namespace of its own. in-container.sh ROOT SOURCE=TARGET… -- COMMAND ARGUMENT…
set -eu
root=$1
shift
mount -t tmpfs tmpfs "$root"
for each in /*; do
  name=${each#/}
  if [ -L "$each" ]; then
    cp -P "$each" "$root/$name"
  elif [ -d "$each" ] && [ "$name" != tmp ]; then
    mkdir "$root/$name"
    mount --rbind "$each" "$root/$name"
  fi
done
mkdir -p "$root/tmp"
# proxies that start at once would find each other's
mount -t tmpfs tmpfs "$root/dev/shm"
while [ "$1" != -- ]; do
  source=${1%%=*}
  # links lead on from the container's root
  target=$root$(chroot "$root" readlink -m "${1#*=}")
  if [ -d "$source" ]; then
    mkdir -p "$target"
  elif [ ! -e "$target" ]; then
    mkdir -p "$(dirname "$target")"
    : >"$target"
  fi
  mount --bind "$source" "$target"
  shift
done
shift
# it ends with the process that started it, however that ended
exec setpriv --pdeathsig KILL chroot "$root" "$@"
