# SPDX-License-Identifier: MIT
# Grouped bars, one panel or several side by side.
width = panels > 1 ? 1000 : 600
set term svg size width,360 dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set tmargin 3; set bmargin panels > 2 ? 3 : 2
set multiplot
do for [p=1:panels] {
	set origin (p - 1) * 1.0 / panels, 0
	set size 1.0 / panels, 0.97
	set title heading[p] offset 0,-0.6
	set ylabel unit[p]
	set xrange [0.4:classes[p] + 0.6]
	set yrange [0:most[p]]
	first = (p - 1) * (curves + 1)
	plot for [s=1:curves] $data index first + s - 1 using 1:2:3 with boxes lc rgb colour[s], \
		$data index first + curves using 1:2:5 with labels offset 0,0.6 font ",10"
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
