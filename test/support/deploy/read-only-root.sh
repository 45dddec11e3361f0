#!/usr/bin/env bash
# Runs a command where an image would: on a read-only root with nothing but a C library, the binary and a folder
# for data, as a user that is in no list, without capabilities. Needs root, and leaves nothing behind: the mounts
# end with their namespace.
#   unshare --mount read-only-root.sh <empty folder> <binary> <user id> <folder for data> <command>...
set -euo pipefail
root=$1 binary=$2 user=$3 data=$4
shift 4

mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root/proc" "$root/data"
mount -t proc proc "$root/proc"
for library in $(ldd "$binary" | grep -o '/[^ ]*'); do
  install -D "$library" "$root$library"
done
touch "$root/shipfeed"
mount --bind "$binary" "$root/shipfeed"
chown -R "$user:$user" "$data"
mount --bind "$data" "$root/data"
mount -o remount,ro "$root"

exec unshare --root="$root" --wd=/ --setuid "$user" --setgid "$user" "$@"
