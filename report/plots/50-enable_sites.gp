height = 60 + 300 * rows
set term svg size 1000,height dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale xy
eval(log_tics)
set format x "%g"
set xrange [lowest / 2.0:highest * 2.0]
set tmargin 2; set bmargin 3.2
set multiplot
top = 1 - 30.0 / height
do for [p=1:2*rows] {
	set origin ((p - 1) % 2) * 0.5, top - (1 + (p - 1) / 2) * top / rows
	set size 0.5, top / rows
	set title heading[p] offset 0,-0.6
	if (p % 2) { set ylabel "ns a site" } else { unset ylabel }
	if (p > 2 * rows - 2) { set xlabel "sites in the transaction" offset 0,0.4 } else { unset xlabel }
	first = (p - 1) * 2 * curves
	plot for [s=1:curves] $data index first + curves + s - 1 using 1:2 with lines lw 1.5 dt 2 lc rgb colour[s], \
		for [s=1:curves] $data index first + s - 1 using 1:2 with lines lw line_width(s) lc rgb colour[s], \
		for [s=1:curves] $data index first + s - 1 using 1:2:3:4 with yerrorbars pt shape[s] lc rgb colour[s]
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
