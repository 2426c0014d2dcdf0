#!/bin/sh
# With little room for sessions.
exec unshare --user --map-root-user --mount sh -c '
    mkdir -p "$EVIDENT_HOME/sessions" \
        && mount -t tmpfs -o size=2m small "$EVIDENT_HOME/sessions" \
        && exec "$BINARY" "$@"' sh "$@"
