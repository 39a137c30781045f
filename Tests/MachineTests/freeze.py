"""Makes the request threads of a worker stand still while its other threads run: freeze.py PID COUNT

They are those that wait for a request (epoll_wait) or for their turn to do so (an eventfd), and there must be COUNT of them. Prints `frozen` and stays until
the process is gone, as it must: a traced thread that was killed is a zombie until its tracer has looked at it.
"""

import ctypes
import os
import pathlib
import sys
import time

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
WALL = 0x40000000  # __WALL: threads as well as processes
EPOLL_WAIT = {"x86_64": ("232", "281", "441"), "aarch64": ("22", "441")}[os.uname().machine]
READ = {"x86_64": "0", "aarch64": "63"}[os.uname().machine]
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def trace(request: int, thread: int) -> None:
    if libc.ptrace(request, thread, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")


def waits_for_requests(task: pathlib.Path) -> bool:
    call, *arguments = (task / "syscall").read_text().split()
    if call == READ:
        return os.readlink(task / "fd" / str(int(arguments[0], 16))) == "anon_inode:[eventfd]"
    return call in EPOLL_WAIT


def main(process: int, count: int) -> None:
    until, threads = time.monotonic() + 30, []
    while len(threads) != count:  # one of them may have the heartbeat in hand
        assert time.monotonic() < until, f"{len(threads)} threads wait for requests, not {count}"
        threads = [int(task.name) for task in pathlib.Path(f"/proc/{process}/task").iterdir() if waits_for_requests(task)]
    for thread in threads:
        trace(PTRACE_SEIZE, thread)
        trace(PTRACE_INTERRUPT, thread)
    stopped: set[int] = set()
    while len(stopped) < count:
        thread, status = os.waitpid(-1, WALL)
        assert os.WIFSTOPPED(status), f"thread {thread} ended"
        stopped.add(thread)
    print("frozen", flush=True)
    try:
        while True:
            # Nothing lets them go on: they can only be killed.
            os.waitpid(-1, WALL)
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
