load bars_gp
