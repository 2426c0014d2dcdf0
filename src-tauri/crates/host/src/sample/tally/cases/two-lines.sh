# Two lines, each with its line end.
expect 42 '10 tea\n32 rent\n'
