"""Makes the request threads of a worker stand still while its other threads run: freeze.py PID COUNT

They have that name, and there must be COUNT of them. Prints `frozen` and stays until the process is gone, as it must: a traced thread that
was killed is a zombie until its tracer has looked at it.
"""

import ctypes
import os
import pathlib
import sys

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
WALL = 0x40000000  # __WALL: threads as well as processes
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def trace(request: int, thread: int) -> None:
    if libc.ptrace(request, thread, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")


def serves_requests(task: pathlib.Path) -> bool:
    return (task / "comm").read_text() == "request\n"


def main(process: int, count: int) -> None:
    threads = [int(task.name) for task in pathlib.Path(f"/proc/{process}/task").iterdir() if serves_requests(task)]
    assert len(threads) == count, f"{len(threads)} threads serve requests, not {count}"
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
