# For a run that nobody watches.
set pagination off
set confirm off
set width 0
set debuginfod enabled off
