break callback
run
bt
up
printf "before: "
info symbol $pc
set $was = $pc
delete
break stage if *what == 'u'
continue
printf "after: "
info symbol $was
delete
continue
