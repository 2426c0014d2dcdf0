#!/bin/sh
# Runs every case in cases/. Ends with 1 if one of them fails.
failed=0

# expect TOTAL LINES: what tally.sh must say to these lines.
expect() {
    total=$(printf '%b' "$2" | sh tally.sh)
    if [ "$total" = "$1" ]; then
        echo "ok      $case"
    else
        echo "FAILED  $case: expected $1, got $total"
        failed=1
    fi
}

for case in cases/*.sh; do
    . "./$case"
done
exit "$failed"
