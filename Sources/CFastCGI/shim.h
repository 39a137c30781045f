#pragma once

#include <fcgiapp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Swift's Glibc is imported without _GNU_SOURCE, which hides these two. Declared, not included:
   what this module includes first, Swift would no longer find in Glibc. */
struct sockaddr;
int accept4(int, struct sockaddr *, unsigned int *, int);
int dup3(int, int, int);
