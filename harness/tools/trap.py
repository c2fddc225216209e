# SPDX-License-Identifier: MIT
"""gdb: what unwind.py does, for a call that meets its site while that changes: through the handler, which does what
the new instruction would do.  The thread that changes it is held behind the first byte.  TRAP: see UNWIND."""
import os
import sys
import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from unwind import Wrong, end, start, to_stage, to_the_call, walk_until_back  # noqa: E402


def first_byte():
    return gdb.selected_inferior().read_memory(gdb.parse_and_eval("&traced"), 1).tobytes()


def hold():
    """The first thread, once it has written the byte."""
    gdb.execute("break tramp_text_sync", to_string=True)
    for _ in range(20):
        gdb.execute("continue", to_string=True)
        if first_byte() == b"\x06":
            gdb.execute("delete")
            return
    raise Wrong("no breakpoint is written: the site holds %s" % first_byte().hex())


def pass_through(args):
    """One call of another thread, which is alone for this time."""
    gdb.execute("thread 2", to_string=True)
    gdb.execute("set scheduler-locking on")
    gdb.execute("handle SIGILL stop print pass", to_string=True)
    gdb.execute("set var threads_go = 1")
    gdb.execute("break *caller", to_string=True)
    gdb.execute("continue", to_string=True)
    gdb.execute("delete")
    back, saved = to_the_call()
    total, names = walk_until_back(args, back, saved)
    gdb.execute("set var threads_go = 0")
    gdb.execute("handle SIGILL nostop noprint pass", to_string=True)
    gdb.execute("set scheduler-locking off")
    gdb.execute("thread 1", to_string=True)
    for name in "on_trap", "callback":
        if name not in names:
            raise Wrong("%s: no %s on the way, but %s" % (args, name, ", ".join(sorted(names))))
    return total


def trap_one(args):
    start(args)
    to_stage("c")
    gdb.execute("set var threads_go = 0")
    total = 0
    # The second ops joins, and leaves.
    for _ in range(2):
        hold()
        total += pass_through(args)
    gdb.execute("set var threads_go = 1")
    gdb.execute("continue", to_string=True)
    if gdb.selected_thread():
        raise Wrong("%s: the program does not end" % args)
    return total


def main():
    total = 0
    for args in os.environ["TRAP"].strip().splitlines():
        n = trap_one(args)
        print("# %s: %d" % (args, n))
        total += n
    print("survived %d instructions that gdb walks from" % total)


end(main)
