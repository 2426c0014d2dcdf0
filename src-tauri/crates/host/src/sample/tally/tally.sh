#!/bin/sh
# Adds up the first number of each line of standard input.
total=0
while read -r amount label; do
    total=$((total + amount))
done
echo "$total"
