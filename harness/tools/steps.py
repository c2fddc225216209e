# SPDX-License-Identifier: MIT
"""gdb: step, next, finish and stepi over a site, at rest and live.  STEPS: see UNWIND in unwind.py."""
import os
import gdb


def where():
    return gdb.newest_frame().name() or "?"


def do(command, expected):
    gdb.execute(command, to_string=True)
    if where() != expected:
        raise gdb.GdbError("%s leads to %s, not to %s" % (command, where(), expected))


def run(args):
    gdb.execute("delete")
    gdb.execute("set args " + args)
    gdb.execute("break *caller", to_string=True)
    do("run", "caller")
    do("step", "traced")
    do("finish", "caller")
    gdb.execute("delete")
    do("finish", "call")
    gdb.execute("break *caller", to_string=True)
    do("continue", "caller")
    do("next", "caller")
    # Over the site by instructions, in and out.
    do("continue", "caller")
    seen = set()
    while where() != "traced":
        gdb.execute("stepi", to_string=True)
    while where() != "caller":
        seen.add(where())
        gdb.execute("stepi", to_string=True)
    gdb.execute("delete")
    if "callback" in seen:
        gdb.execute("break callback", to_string=True)
        do("continue", "callback")
        gdb.execute("delete")
        # Not to frame 1: gdb writes no breakpoint into memory that is shared.
        while gdb.selected_frame().name() and not gdb.selected_frame().name().startswith("tramplab:"):
            gdb.execute("up", to_string=True)
        do("finish", "traced")
        do("finish", "caller")
    return seen


def main():
    for args in os.environ["STEPS"].strip().splitlines():
        seen = run(args)
        print("# %s: %s" % (args, ", ".join(sorted(seen))))
        idle = " idle " in args
        if idle != (seen == {"traced"}):
            raise gdb.GdbError("%s: instructions of %s" % (args, seen))
        gdb.execute("continue", to_string=True)
    print("done")


try:
    main()
except gdb.error as why:
    print("wrong: %s" % why)
    gdb.execute("bt")
