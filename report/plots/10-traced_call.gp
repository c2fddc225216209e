set term svg size 1120,height dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set logscale y; eval(log_tics)
set tmargin 1.8; set bmargin 3
set multiplot
top = 1 - 36.0 / height
do for [p=1:panels] {
	column = (p - 1) % columns
	row = (p - 1) / columns
	set origin column * 1.0 / columns, top - (row + 1) * top / rows
	set size 1.0 / columns, top / rows
	set title heading[p] offset 0,-0.6
	if (column == 0) { set ylabel "core cycles over untraced" } else { unset ylabel }
	first = (p - 1) * (curves + 3)
	plot floor_at[p] with lines lw 2 dt 2 lc rgb "#777777", \
		for [s=1:curves] $data index first + s - 1 using 1:2:3:4 with yerrorbars pt shape[s] lc rgb colour[s], \
		$data index first + curves using 1:2:5 with labels offset 0,0.8 font ",10", \
		$data index first + curves + 1 using 1:2:5 with labels offset 0,-0.8 font ",10", \
		$data index first + curves + 2 using 1:2:3:4 with yerrorbars pt 13 lc rgb "#777777", \
		$data index first + curves + 2 using 1:2:5 with labels offset 0,0.8 font ",10" tc rgb "#777777"
	do for [l=901:940] { unset label l; unset arrow l }
}
unset multiplot
