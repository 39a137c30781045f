-- Takes a database of 17 migrations, with a table a kind of event, to what 001 and 002 make. All or nothing, and nobody works meanwhile.

do $$
begin
    -- The last of them may just be going.
    for i in 1..20 loop
        perform pg_stat_clear_snapshot();
        if not exists (
            select from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
            where a.datname = current_database() and not r.rolsuper and pg_has_role(r.oid, 'babybasics', 'member')
        ) then
            return;
        end if;
        perform pg_sleep(0.1);
    end loop;
    raise exception 'workers are connected to the database: this upgrade needs all of them stopped, on every host';
end
$$;

lock table families, users, children, feedings, diapers, sleeps, notes, pumpings, measurements, temperatures, medications, activities
    in access exclusive mode;

-- --- What a family owns --------------------------------------------------------------------------------------

create table feeds (
    family_id uuid primary key references families on delete cascade,
    last_revision bigint not null default 0,
    purged_revision bigint not null default 0,
    events_made bigint not null default 0,
    events_day date,
    events_of_day integer not null default 0
) with (fillfactor = 50);
-- Before there was a count, no family had made more events than changes.
insert into feeds
select id, last_revision, purged_revision, coalesce(events_made, last_revision), events_day, events_of_day from families;

alter table families
    drop column last_revision,
    drop column purged_revision,
    drop column events_made,
    drop column events_day,
    drop column events_of_day,
    drop column kinds,
    drop constraint families_sharing_policy_check,
    add constraint families_sharing_policy_check check (sharing_policy in ('standard', 'co_parent'));
alter table family_members
    drop constraint family_members_role_check,
    add constraint family_members_role_check check (role in ('parent', 'caregiver', 'viewer'));
alter table share_links
    drop constraint share_links_role_check,
    add constraint share_links_role_check check (role in ('parent', 'caregiver', 'viewer'));
alter table children add unique (family_id, id);

-- Events of deleted children do not keep their identifiers from others any more.
delete from tombstones where entity not in ('family', 'family_member', 'child');
alter table tombstones drop constraint tombstones_pkey, add primary key (family_id, entity_id);
create index tombstones_ids on tombstones (entity_id) where entity in ('family', 'child');

-- --- Events --------------------------------------------------------------------------------------------------

create table events (
    family_id uuid not null,
    id uuid not null default gen_random_uuid(),
    child_id uuid not null,
    kind smallint not null,
    at timestamptz not null,
    ended_at timestamptz,
    type text,
    side text,
    last_side text,
    left_minutes numeric(4),
    right_minutes numeric(4),
    amount_ml numeric(5, 1),
    content text,
    food text,
    color text,
    for_doctor boolean,
    weight_g numeric(5),
    length_cm numeric(4, 1),
    head_cm numeric(3, 1),
    celsius numeric(3, 1),
    site text,
    name text,
    dose text,
    notes text,
    created_by uuid,
    updated_by uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    revision bigint not null,
    check (ended_at >= at)
);

-- An end before its start was a slip of a finger that nobody can undo: no time passed.
update feedings set ended_at = started_at where ended_at < started_at;
update sleeps set ended_at = started_at where ended_at < started_at;
update pumpings set ended_at = started_at where ended_at < started_at;
update activities set ended_at = started_at where ended_at < started_at;

insert into events (family_id, id, child_id, kind, at, ended_at, type, side, amount_ml, content, food,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 0, started_at, ended_at, type, side, amount_ml, content, food,
    notes, created_by, created_at, updated_at, deleted_at, revision from feedings;
insert into events (family_id, id, child_id, kind, at, type, color,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 1, occurred_at, type, color,
    notes, created_by, created_at, updated_at, deleted_at, revision from diapers;
insert into events (family_id, id, child_id, kind, at, ended_at, type,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 2, started_at, ended_at, type,
    notes, created_by, created_at, updated_at, deleted_at, revision from sleeps;
insert into events (family_id, id, child_id, kind, at, content, for_doctor,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 3, occurred_at, content, false,
    notes, created_by, created_at, updated_at, deleted_at, revision from notes;
insert into events (family_id, id, child_id, kind, at, ended_at, side, amount_ml,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 4, started_at, ended_at, side, amount_ml,
    notes, created_by, created_at, updated_at, deleted_at, revision from pumpings;
insert into events (family_id, id, child_id, kind, at, weight_g, length_cm, head_cm,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 5, occurred_at, weight_g, length_cm, head_cm,
    notes, created_by, created_at, updated_at, deleted_at, revision from measurements;
insert into events (family_id, id, child_id, kind, at, celsius, site,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 6, occurred_at, celsius, site,
    notes, created_by, created_at, updated_at, deleted_at, revision from temperatures;
insert into events (family_id, id, child_id, kind, at, name, dose,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 7, occurred_at, name, dose,
    notes, created_by, created_at, updated_at, deleted_at, revision from medications;
insert into events (family_id, id, child_id, kind, at, ended_at, name,
    notes, created_by, created_at, updated_at, deleted_at, revision)
select family_id, id, child_id, 8, started_at, ended_at, name,
    notes, created_by, created_at, updated_at, deleted_at, revision from activities;
drop table feedings, diapers, sleeps, notes, pumpings, measurements, temperatures, medications, activities;
drop table kept_timelines, kept_dashboards, user_rates, throttle_key;
drop function forget_answers_of_child, forget_answers_of_gone, require_member;
drop index children_id_family, children_family;

alter table events
    add primary key (family_id, id),
    add foreign key (family_id, child_id) references children (family_id, id) on delete cascade;
create index events_changes on events (family_id, revision);
create index events_timeline on events (child_id, at desc, id desc) where deleted_at is null;
create index events_of_kind on events (child_id, kind, at desc, id desc) where deleted_at is null;
create index events_deleted on events (deleted_at) where deleted_at is not null;
create unique index events_ongoing_sleep on events (family_id, child_id)
    where kind = 2 and ended_at is null and deleted_at is null;

-- --- Which run of the families' numbers this is -----------------------------------------------------------------

create table installation (
    is_only boolean primary key default true check (is_only),
    generation bigint not null default 0,
    system_identifier bigint not null,
    database oid not null,
    written_by xid8 not null default pg_current_xact_id()
);
insert into installation (system_identifier, database)
select system_identifier, oid from pg_control_system(), pg_database where datname = current_database();

-- --- For whoever asks by SQL ---------------------------------------------------------------------------------

create view feedings as
select id, child_id, family_id, type, at as started_at, ended_at, side, left_minutes, right_minutes, last_side, amount_ml, content,
    food, notes, created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 0;
create view diapers as
select id, child_id, family_id, type, at as occurred_at, color, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 1;
create view sleeps as
select id, child_id, family_id, type, at as started_at, ended_at, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 2;
create view notes as
select id, child_id, family_id, content, at as occurred_at, for_doctor, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 3;
create view pumpings as
select id, child_id, family_id, at as started_at, ended_at, side, amount_ml, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 4;
create view measurements as
select id, child_id, family_id, at as occurred_at, weight_g, length_cm, head_cm, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 5;
create view temperatures as
select id, child_id, family_id, at as occurred_at, celsius, site, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 6;
create view medications as
select id, child_id, family_id, at as occurred_at, name, dose, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 7;
create view activities as
select id, child_id, family_id, at as started_at, ended_at, name, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 8;
create view discards as
select id, child_id, family_id, at as occurred_at, amount_ml, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision from events where kind = 9;

grant select, insert, update, delete on feeds, events to babybasics;
grant select, update on installation to babybasics;

-- The first statements plan by them.
analyze feeds;
analyze events;

-- `babybasics migrate` records 001 and 002 in their place, in this transaction.
delete from schema_migrations;
