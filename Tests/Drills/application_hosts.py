"""Application hosts of a drill: nginx and two workers each, on a machine of its own."""

import signal

from clients import Client
from hosts import Hosts
from network import Machine
from service import Service


class ApplicationHost(Hosts):
    def __init__(self, service: Service, machine: Machine, database_url: str):
        self.machine = machine
        super().__init__(service, database_url)

    def start(self, command: list, environment: dict | None, log: str) -> None:
        super().start(self.machine.inside(*command), environment, log)

    def client(self) -> Client:
        return Client(self.service, doors=[self.door])

    @property
    def door(self) -> tuple[str, int]:
        return self.machine.address, self.port

    def power_off(self) -> None:
        self.machine.power_off()
        for process in self.running:
            process.wait(30)

    def power_on(self) -> "ApplicationHost":
        self.machine.join()
        return ApplicationHost(self.service, self.machine, self.database_url)

    def end(self) -> None:
        """For good, in a moment."""
        self.machine.signal(signal.SIGKILL)
