set term svg size 900,90 + 24 * n dynamic noenhanced font "sans-serif,13" name plot_name
set output svg
set grid noytics xtics lc rgb "#999999" lw 0.5 dt (1,3)
set yrange [-0.6:n - 0.4]
set xlabel "ms: mean ± σ; |: the least of all runs, whose ratio to the first is printed"
set lmargin 24
plot for [i=1:n] $data every ::i-1::i-1 using 1:2:3:4 with xerrorbars pt 7 lc rgb colours[i], \
	for [i=1:n] $data every ::i-1::i-1 using 6:2 with points pt "|" lc rgb colours[i], \
	$data using 4:2:5 with labels left offset 0.6,0 font ",11"
