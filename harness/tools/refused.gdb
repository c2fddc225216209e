run
bt 1
continue
