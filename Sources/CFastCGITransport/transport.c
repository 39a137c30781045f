/* libfcgi's way to a connection: the two functions of its operating system layer that it reads and closes with. It calls them by name, and
   the dynamic linker takes the program's before the library's. */

#include "CFastCGITransport.h"

#include <fcgios.h>
#include <string.h>
#include <unistd.h>

static _Thread_local struct {
    const char *next;
    size_t count;
} taken;

void fastcgi_transport_begin(const void *bytes, size_t count) {
    taken.next = bytes;
    taken.count = count;
}

/* What was taken from the connection already, and then what comes. */
int OS_Read(int descriptor, char *buffer, size_t size) {
    if (taken.count == 0) return (int)read(descriptor, buffer, size);
    size_t count = taken.count < size ? taken.count : size;
    memcpy(buffer, taken.next, count);
    taken.next += count;
    taken.count -= count;
    return (int)count;
}

/* A connection is closed by the worker, which alone knows who else looks at its descriptor. */
int OS_IpcClose(int descriptor, int shutdown) {
    (void)descriptor;
    (void)shutdown;
    return 0;
}
