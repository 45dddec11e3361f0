#!/usr/bin/env bash
# Runs a command where an image would: on a read-only root with nothing but the libraries of C and C++, the binary and
# a folder for data, as a user that is in no list, without capabilities. Needs root, and leaves nothing behind: the
# mounts end with their namespace.
#   unshare --mount read-only-root.sh <empty folder> <binary> <user id> <folder for data> <command>...
set -euo pipefail
root=$1 binary=$2 user=$3 data=$4
shift 4

mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root/proc" "$root/dev" "$root/data"
mount -t proc proc "$root/proc"
touch "$root/dev/null"
mount --bind /dev/null "$root/dev/null"
# Those that the image is for; ldconfig lists where they are.
for library in libc libdl libgcc_s libm libpthread librt libstdc++; do
  path=$(PATH=$PATH:/usr/sbin ldconfig -p | awk -v name="$library.so." 'index($1, name) == 1 && !n++ { print $NF }')
  install -D "$path" "$root$path"
done
loader=$(ldd "$binary" | grep -o '/[^ ]*/ld-[^ ]*')
install -D "$loader" "$root$loader"
touch "$root/shipfeed"
mount --bind "$binary" "$root/shipfeed"
chown -R "$user:$user" "$data"
mount --bind "$data" "$root/data"
mount -o remount,ro "$root"

exec unshare --root="$root" --wd=/ --setuid "$user" --setgid "$user" "$@"
