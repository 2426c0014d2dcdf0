#!/bin/sh
# With hardly any room in the folder that it works in.
exec unshare --user --map-root-user --mount sh -c '
    mount -t tmpfs -o size=64k tiny . && cd "$PWD" && exec "$BINARY" "$@"' sh "$@"
