# SPDX-License-Identifier: MIT
"""gdb: breakpoints of its own on a site, at rest and live: what would write over them is refused, and nothing has
changed; without them the same call is taken."""
import gdb


def site():
    return gdb.selected_inferior().read_memory(gdb.parse_and_eval("&traced"), 5).tobytes().hex()


def to(stage, letter):
    gdb.execute("continue", to_string=True)
    if gdb.newest_frame().name() != "stage" or gdb.parse_and_eval("*what") != ord(letter):
        raise gdb.GdbError("stage %s is not reached" % stage)


def main():
    gdb.execute("break main", to_string=True)
    gdb.execute("run", to_string=True)
    gdb.execute("break stage", to_string=True)
    rest = site()
    for state in "at rest", "live":
        # Where gdb puts it by the function's name, with gcc.
        on_site = gdb.Breakpoint("*traced")
        before = site()
        if state == "live":
            on_site.enabled = False
            to("called", "c")
            on_site.enabled = True
        for _ in range(2):
            to("refused", "r")
            if gdb.newest_frame().older().name() != "refused":
                raise gdb.GdbError("%s: not refused" % state)
            if site() != before:
                raise gdb.GdbError("%s: the site changed from %s to %s" % (state, before, site()))
        on_site.delete()
        if state == "at rest":
            to("registered", "r")
    to("unregistered", "u")
    if site() != rest:
        raise gdb.GdbError("the site is %s at the end, and was %s" % (site(), rest))
    gdb.execute("continue")
    print("done")


try:
    main()
except gdb.error as why:
    print("wrong: %s" % why)
    gdb.execute("bt")
