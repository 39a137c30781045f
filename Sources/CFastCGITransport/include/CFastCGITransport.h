#pragma once

#include <stddef.h>

/* What libfcgi reads next on this thread, before it reads from a connection. The bytes have to stay until it has read them, or until this
   is called again. */
void fastcgi_transport_begin(const void *bytes, size_t count);
