-- How many events a family has made, so that a ceiling needs no counting. The statement that takes a revision keeps it.

lock table families;

-- Null stands for `last_revision`: before there was a count, no family had made more events than changes.
alter table families
    add column events_made bigint,
    add column events_day date,
    add column events_of_day integer not null default 0;
