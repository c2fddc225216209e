# SPDX-License-Identifier: MIT
"""gdb: walk the stack from every instruction of a traced call.

gdb's unwinder is its own: it takes the rules from the program's .eh_frame and from
what the core announces, and nothing from libgcc.  At each instruction from the call
to the return the frames have to reach caller(), with its pc, its stack pointer and the
registers that functions keep, and then main().

UNWIND has a line of arguments for traced.c each; the last call of the program is walked.
"""
import os
import socket
import subprocess
import time
import gdb

KEPT = {
    "i386:x86-64": ("rbx", "rbp", "r12", "r13", "r14", "r15", "rsp"),
    "aarch64": tuple("x%d" % n for n in range(19, 30)) + ("sp",),
}
MOST = 20000    # instructions of a call


class Wrong(Exception):
    pass


def registers(frame):
    kept = KEPT[frame.architecture().name()]
    return {name: int(frame.read_register(name)) for name in kept}


def walk(back, saved):
    """From the newest frame to main(), or a thread's first function; raises Wrong."""
    frame = gdb.newest_frame()
    while frame and not (frame.pc() == back and frame.name() == "caller"):
        frame = frame.older()
    if not frame:
        raise Wrong("caller() is not among the frames")
    for name, value in registers(frame).items():
        if value != saved[name]:
            raise Wrong("%s of caller() is %#x and was %#x" % (name, value, saved[name]))
    while frame and frame.name() not in ("main", "call_on"):
        frame = frame.older()
    if not frame:
        raise Wrong("the walk ends before main(), or where the thread began")


def stepi():
    gdb.execute("stepi", to_string=True)
    return gdb.newest_frame().pc()


def to_the_call():
    """Steps from caller()'s start over its call: what the registers were, and where it returns to."""
    while True:
        frame = gdb.newest_frame()
        pc, saved = frame.pc(), registers(frame)
        back = pc + frame.architecture().disassemble(pc)[0]["length"]
        if stepi() != back and gdb.newest_frame().name() != "caller":
            return back, saved


def show(*commands):
    """For the reader of a failure, whose reason is another."""
    for command in commands:
        try:
            gdb.execute(command)
        except gdb.error as why:
            print("# %s: %s" % (command, why))


def walk_until_back(args, back, saved):
    """Returns how many instructions, and the functions that they are in."""
    total, names = 0, {}
    pc = gdb.newest_frame().pc()
    while pc != back:
        try:
            walk(back, saved)
        except (Wrong, gdb.error) as why:
            show("bt 12", "x/3i $pc")
            raise Wrong("%s: at instruction %d, %#x: %s" % (args, total, pc, why))
        total += 1
        name = gdb.newest_frame().name() or "?"
        names[name] = names.get(name, 0) + 1
        if total > MOST:
            raise Wrong("%s: the call does not end" % args)
        pc = stepi()
    return total, names


def emulated(args):
    """The program in the emulator, which waits for gdb.  On a busy machine it takes its time to answer, too: gdb
    would go on without an answer, and know no register, or wait for ever."""
    gdb.execute("set tcp auto-retry off")
    gdb.execute("set remotetimeout 120")
    with socket.socket() as s:
        s.bind(("localhost", 0))
        port = s.getsockname()[1]
    emulator = subprocess.Popen(os.environ["EMULATOR"].split() + ["-g", str(port), gdb.current_progspace().filename] +
                                args.split(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while True:
        try:
            gdb.execute("target remote localhost:%d" % port, to_string=True)
            return
        except gdb.error as why:
            if emulator.poll() is not None:
                raise Wrong("the emulator ended with status %d; gdb says: %s" % (emulator.returncode, why))
            time.sleep(0.1)


def start(args):
    """Up to the stage where all is registered."""
    gdb.execute("set args " + args)
    if os.environ.get("EMULATOR"):
        emulated(args)
    to_stage("r")


def to_stage(letter):
    gdb.execute("break stage if *what == '%s'" % letter, to_string=True)
    gdb.execute("continue" if gdb.selected_thread() else "run", to_string=True)
    gdb.execute("delete")


def walk_one(args):
    start(args)
    gdb.execute("break *caller", to_string=True)
    gdb.execute("continue", to_string=True)
    gdb.execute("continue", to_string=True)
    gdb.execute("delete")
    back, saved = to_the_call()
    total, names = walk_until_back(args, back, saved)
    # A pushf under stepi saves the trap flag as well, and the long way to leave restores it.
    if gdb.newest_frame().architecture().name() == "i386:x86-64":
        gdb.execute("set $eflags = $eflags & ~0x100")
    gdb.execute("continue", to_string=True)
    if gdb.selected_thread():
        raise Wrong("%s: the program does not end" % args)
    return total, sum(n for name, n in names.items() if name.startswith("tramplab:"))


def main():
    total = generated = 0
    for args in os.environ["UNWIND"].strip().splitlines():
        n, g = walk_one(args)
        if not g:
            raise Wrong("%s: no generated code was seen" % args)
        print("# %s: %d, %d in generated code" % (args, n, g))
        total += n
        generated += g
    print("survived %d instructions that gdb walks from" % total)


def end(of):
    """What tools.sh looks for."""
    try:
        of()
        print("done")
    except (Wrong, gdb.error) as why:
        print("wrong: %s" % why)


if __name__ == "__main__":
    end(main)
