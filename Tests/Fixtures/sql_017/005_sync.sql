-- What was deleted is forgotten after a while: a family knows how far, so that a client that is further behind can be told.

-- The highest number of anything that was purged. A client that knows less than this may hold what is no more.
alter table families add column purged_revision bigint not null default 0;

create index feedings_deleted on feedings (deleted_at) where deleted_at is not null;
create index diapers_deleted on diapers (deleted_at) where deleted_at is not null;
create index sleeps_deleted on sleeps (deleted_at) where deleted_at is not null;
create index notes_deleted on notes (deleted_at) where deleted_at is not null;
