set term svg size 1100,430 dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale y
eval(log_tics)
set tmargin 4; set bmargin 4.5
array title_of[2] = ["one ops here, others elsewhere", "ops at the site"]
array x_of[2] = ["ops that trace other functions", "ops at the site, all called"]
set multiplot
do for [p=1:2] {
	set origin (p - 1) / 2.0, 0
	set size 1 / 2.0, 0.97
	set title title_of[p] offset 0,-0.6
	set xlabel x_of[p] offset 0,0.5
	eval(count_yrange)
	if (p == 1) { set ylabel "instructions over untraced"; eval(irr_tics); eval(irr_range) } else { unset ylabel; eval(rel_tics); eval(rel_range) }
	plot for [s=1:curves] $data index (p - 1) * curves + s - 1 using 1:2 with lines lw 2 lc rgb colour[s], \
		for [s=1:curves] $data index (p - 1) * curves + s - 1 using 1:2 with points pt shape[s] lc rgb colour[s]
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
