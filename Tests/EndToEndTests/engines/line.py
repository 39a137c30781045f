"""A device's own line to the server, with an address of its own. Cut, it is a phone in a cellar: in any browser."""

import contextlib
import itertools
import socket
import threading


class Line:
    def __init__(self, stack):
        self.target = ("127.0.0.1", stack.port)
        self.source = (next(stack.addresses), 0)
        self.port = 0
        self.open: set[socket.socket] = set()
        self.mend()

    @property
    def base_url(self) -> str:
        return f"https://localhost:{self.port}"

    def mend(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        self.is_cut = False
        threading.Thread(target=self._accept, args=[self.listener], daemon=True).start()

    def cut(self) -> None:
        """What is under way breaks off, what comes is refused."""
        self.is_cut = True
        for one in (self.listener, *tuple(self.open)):
            end(one)
        self.listener.close()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = listener.accept()
                server = socket.create_connection(self.target, source_address=self.source)
                self.open |= {browser, server}
                for way in itertools.permutations((browser, server)):
                    threading.Thread(target=self._carry, args=way, daemon=True).start()
                if self.is_cut:  # meanwhile
                    end(browser)

    def _carry(self, giver: socket.socket, taker: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := giver.recv(65536):
                taker.sendall(data)
        self.open -= {giver, taker}
        end(giver)
        end(taker)


def end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
