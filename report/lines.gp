# SPDX-License-Identifier: MIT
# One line a strategy, with intervals.
set term svg size 900,440 dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set tmargin 3
set logscale y
eval(log_tics)
plot for [s=1:curves] $data index s-1 using 1:2 with lines lw line_width(s) lc rgb colour[s], \
	for [s=1:curves] $data index s-1 using 1:2:3:4 with yerrorbars pt shape[s] lc rgb colour[s]
