#pragma once

#include <fcgiapp.h>
#include <fcgios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
