-- What was answered about a child, kept to be answered again as long as nothing of its family has changed. A page of fifty events costs
-- fifty rows from fifty places; kept, it is one row.
--
-- A row holds as long as `revision` is its family's `last_revision`: whoever changes something of a family counts that up in the same
-- transaction. A crash empties unlogged tables, which costs some reading and loses nothing.

create unlogged table kept_timelines (
    child_id uuid primary key references children (id) on delete cascade,
    family_id uuid not null,
    revision bigint not null,
    -- The first page of the timeline, as it is sent.
    page bytea compression lz4 not null
);
-- Compressed, a page fits into its row; elsewhere it would be in pieces.
alter table kept_timelines alter column page set storage main;

-- One for each way in which the family's clocks are set.
create unlogged table kept_dashboards (
    child_id uuid references children (id) on delete cascade,
    timezone varchar(64),
    day_start varchar(5),
    family_id uuid not null,
    revision bigint not null,
    date date not null,
    -- Where each of the seven days up to `date` begins, and where it ends.
    edges timestamptz[] not null,
    -- What has ended or happened in them: so many numbers for each day.
    sums bigint[] not null,
    notes bigint not null,
    -- JSON, as it is sent.
    last bytea not null,
    open_feeding_at timestamptz,
    open_feeding bytea,
    open_sleep_at timestamptz,
    open_sleep bytea,
    primary key (child_id, timezone, day_start)
);

grant select, insert, update, delete on kept_timelines, kept_dashboards to babybasics;

-- Events that were changed by hand, and so without a new revision. The server's own changes call none of these functions.

create function forget_answers_of_child() returns trigger language plpgsql as $$
begin
    delete from kept_timelines where child_id in (new.child_id, old.child_id);
    delete from kept_dashboards where child_id in (new.child_id, old.child_id);
    return null;
end
$$;

create function forget_answers_of_gone() returns trigger language plpgsql as $$
begin
    delete from kept_timelines where child_id in (select child_id from gone);
    delete from kept_dashboards where child_id in (select child_id from gone);
    return null;
end
$$;

do $$
declare
    kind text;
begin
    foreach kind in array array['feedings', 'diapers', 'sleeps', 'notes'] loop
        execute format('create trigger inserted_by_hand after insert on %I for each row
            when (new.revision = 0) execute function forget_answers_of_child()', kind);
        execute format('create trigger updated_by_hand after update on %I for each row
            when (new.revision = old.revision) execute function forget_answers_of_child()', kind);
        execute format('create trigger removed after delete on %I referencing old table as gone
            for each statement execute function forget_answers_of_gone()', kind);
    end loop;
end
$$;
