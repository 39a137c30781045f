#pragma once

/* Who uses these imports Glibc as well: whether Swift finds sigset_t and timespec here or there depends on the order
   of the build. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
