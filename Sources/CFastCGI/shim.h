#pragma once

/* These headers bring sigset_t, timespec and pthread_attr_t with them, and whether Swift then finds
   those here or in Glibc depends on the order of the build: who uses them imports both. */
#include <fcgiapp.h>

/* Swift's Glibc is imported without _GNU_SOURCE, which hides accept4. Declared, not included:
   what this module includes first, Swift would no longer find in Glibc. */
struct sockaddr;
int accept4(int, struct sockaddr *, unsigned int *, int);
