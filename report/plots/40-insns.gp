set term svg size 1100,430 dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale y
eval(log_tics)
set tmargin 4; set bmargin 4.5
array kind[3] = ["class", "irr", "rel"]
array title_of[3] = ["one ops, by class", "one ops here, others elsewhere", "ops at the site"]
array x_of[3] = ["register class", "ops that trace other functions", "ops at the site, all called"]
set multiplot
do for [p=1:3] {
	set origin (p - 1) / 3.0, 0
	set size 1 / 3.0, 0.97
	set title title_of[p] offset 0,-0.6
	set xlabel x_of[p] offset 0,(p == 1 ? -0.3 : 0.5)
	if (p == 1) { set ylabel "instructions over untraced"; eval(class_tics); eval(class_range); eval(class_yrange) } else { unset ylabel }
	if (p == 2) { eval(count_yrange); eval(irr_tics); eval(irr_range) }
	if (p == 3) { eval(rel_tics); eval(rel_range) }
	first = p == 1 ? 0 : (p - 1) * (curves + 2) + 2
	plot $data index first + curves using 1:2 with lines lw 2 dt 2 lc rgb list_colour, \
		$data index first + curves + 1 using 1:2 with lines lw 2 dt 3 lc rgb tramp_colour, \
		for [s=1:curves] $data index first + s - 1 using 1:(p == 1 ? NaN : $2) with lines lw line_width(s) lc rgb colour[s], \
		for [s=1:curves] $data index first + s - 1 using 1:2 with points pt shape[s] lc rgb colour[s], \
		for [i=0:1] $data index curves + 2 + i using 1:(p == 1 ? $2 : NaN):5 with labels offset 0,(i ? -0.8 : 0.8) font ",10"
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
