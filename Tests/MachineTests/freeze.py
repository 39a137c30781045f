"""Makes the first thread of a worker, which runs its event loop, stand still while its other threads run: freeze.py PID

Prints `frozen` and stays until the process is gone, as it must: a traced thread that was killed is a zombie until its tracer has looked at it.
"""

import ctypes
import os
import sys

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
WALL = 0x40000000  # __WALL: threads as well as processes
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def trace(request: int, thread: int) -> None:
    if libc.ptrace(request, thread, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")


def main(thread: int) -> None:
    trace(PTRACE_SEIZE, thread)
    trace(PTRACE_INTERRUPT, thread)
    _, status = os.waitpid(thread, WALL)
    assert os.WIFSTOPPED(status), f"thread {thread} ended"
    print("frozen", flush=True)
    try:
        while True:
            # Nothing lets it go on: it can only be killed.
            os.waitpid(-1, WALL)
    except ChildProcessError:
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]))
