# SPDX-License-Identifier: MIT
# One look for every plot.  Black becomes the page's text colour when the plot
# goes into the page, so that it reads on light and on dark.
set encoding utf8
set border 3 lw 1 lc rgb "black"
set grid ytics lc rgb "#999999" lw 0.5 dt (1,3)
set tics nomirror out scale 0.6
set key off
set style fill solid 0.85 noborder
set pointsize 0.9
set errorbars 0.6
set label font ",12"
# Lines that lie on each other stay visible: the first is the widest.
line_width(s) = 1.5 + 0.9 * (curves - s)
# For logarithmic axes, to eval: 1, 2, 5 of each decade.
log_tics = "set ytics ("
do for [e=-2:6] {
	log_tics = log_tics . sprintf("%s%g, %g, %g", e > -2 ? ", " : "", 10.0**e, 2 * 10.0**e, 5 * 10.0**e)
}
log_tics = log_tics . ")"
# For those of many decades.
decade_tics = "set ytics (0.01, 0.1, 1, 10, 100, 1000, 10000, '100 000' 100000, '1 000 000' 1000000, '10 000 000' 10000000)"
