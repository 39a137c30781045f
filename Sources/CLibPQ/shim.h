#pragma once

#include <libpq-fe.h>

// Macros of character literals do not import.
static const int BB_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int BB_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int BB_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int BB_DIAG_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int BB_DIAG_POSITION = PG_DIAG_STATEMENT_POSITION;
static const int BB_DIAG_FUNCTION = PG_DIAG_SOURCE_FUNCTION;
