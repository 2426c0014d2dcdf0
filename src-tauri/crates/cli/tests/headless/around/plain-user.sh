#!/bin/sh
# Without a superuser's powers over files.
exec unshare --user "$BINARY" "$@"
