height = 60 + 280 * rows
set term svg size 1000,height dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale y
eval(log_tics)
set tmargin 2; set bmargin 3.2
set multiplot
top = 1 - 30.0 / height
do for [p=1:rows * columns] {
	set origin ((p - 1) % columns) * 1.0 / columns, top - (1 + (p - 1) / columns) * top / rows
	set size 1.0 / columns, top / rows
	set title heading[p] font ",12" offset 0,-0.6
	if (p % columns == 1) { set ylabel "core cycles over untraced" } else { unset ylabel }
	if (p > (rows - 1) * columns) { set xlabel "functions in turn" offset 0,0.4 } else { unset xlabel }
	first = (p - 1) * (curves + 1)
	plot $data index first using 1:2 with lines lw 2 dt 2 lc rgb "#777777", \
		for [s=1:curves] $data index first + s using 1:2 with lines lw line_width(s) lc rgb colour[s], \
		for [s=1:curves] $data index first + s using 1:2:3:4 with yerrorbars pt shape[s] lc rgb colour[s]
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
