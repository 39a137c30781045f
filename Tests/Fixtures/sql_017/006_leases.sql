-- A worker may take some of a user's requests at once from the counter, as long as the user is far from the limit.

-- How many the last taking took; 1 once the user came near the limit, until the minute is over. What the version before
-- this one counts is one at a time, and so is the default.
alter table user_rates add column granted smallint not null default 1;
