set term svg size 1120,height dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale y; eval(log_tics)
set tmargin 1.8; set bmargin 3
set multiplot
top = 1 - 36.0 / height
lines = 1 + at_y[1]
do for [p=1:panels] {
	set origin at_x[p], top * at_y[p] / lines
	set size size_x[p], top / lines
	set title heading[p] offset 0,-0.6
	set ylabel unit[p]
	set xrange [0.4:cats[p] + 0.6]
	eval("set yrange " . range[p])
	eval("set xtics " . tics[p] . " scale 0 font ',10'")
	first = (p - 1) * (curves + 2)
	plot for [s=1:curves] $data index first + s - 1 using 1:2:3:4 with yerrorbars pt shape[s] lc rgb colour[s], \
		$data index first + curves using 1:2:5 with labels offset 0,0.8 font ",10", \
		$data index first + curves + 1 using 1:2:5 with labels offset 0,-0.8 font ",10"
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
