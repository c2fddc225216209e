load lines_gp
