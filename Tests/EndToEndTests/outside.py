"""Somebody else's server over TLS, which ours sends to: on a thread of its own."""

import asyncio
import ssl
import threading

from second_edge import free_ports


class Outside:
    def __init__(self, context: ssl.SSLContext):
        self.port, _ = free_ports()
        self.context = context
        self.connections = 0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        assert ready.wait(10)

    async def listen(self) -> asyncio.Server:
        """Of `port`, with `context`."""
        raise NotImplementedError

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(self.listen())
        ready.set()
        self.loop.run_forever()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
