"""Connects to the ports of a Ray cluster and to all others that are open.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import socket

PORTS = (6379, 8265, 10001, 52365, *range(47100, 47110))
LISTENING = "0A"


def open_ports():
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table) as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            continue
        for row in rows:
            if row[3] == LISTENING:
                address, _, port = row[1].partition(":")
                yield address, int(port, 16)


def addresses():
    found = list(open_ports())
    hosts = {"127.0.0.1"}
    for address, _ in found:
        if len(address) == 8 and address != "00000000":
            hosts.add(socket.inet_ntoa(bytes.fromhex(address)[::-1]))
    for host in sorted(hosts):
        for port in sorted({*PORTS, *(port for _, port in found)}):
            yield host, port


def connects(address):
    try:
        with socket.create_connection(address, timeout=0.2):
            return True
    except OSError:
        return False


if not any([*map(connects, addresses())]):
    raise PermissionError("no port of a cluster can be reached")
