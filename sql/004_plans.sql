-- Medicine plans, reminders, and what is to be told to whom.

create table plans (
    family_id uuid not null,
    -- Made by the phone, as an event's.
    id uuid not null,
    child_id uuid not null,
    name text not null,
    dose text,
    -- One of both, or neither where it is given when needed.
    every_hours smallint,
    -- Of a day, `08:00`, in their order.
    times text[] not null default '{}',
    max_per_day smallint,
    starts_on date not null,
    ends_on date,
    notes text,
    created_by uuid references users on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- A deleted plan can be restored for 30 days.
    deleted_at timestamptz,
    revision bigint not null,
    primary key (family_id, id),
    foreign key (family_id, child_id) references children (family_id, id) on delete cascade,
    constraint plans_sound check (every_hours is null or times = '{}')
);
create index plans_changes on plans (family_id, revision);
create index plans_of_child on plans (family_id, child_id) where deleted_at is null;
create index plans_deleted on plans (deleted_at) where deleted_at is not null;

-- Of a medication: what it is a dose of. A dose counts although its plan is gone, as a phone may send it late: no foreign key.
alter table events add column plan_id uuid;
create index events_of_plan on events (family_id, plan_id, at desc, id desc)
    where plan_id is not null and deleted_at is null;
create or replace view medications as
select id, child_id, family_id, at as occurred_at, name, dose, notes,
    created_by, updated_by, created_at, updated_at, deleted_at, revision, plan_id from events where kind = 7;

-- When a person is not to be told anything, `22:00`, in the person's zone; and whether sentences name what others should not read on a
-- locked phone.
alter table users
    add column quiet_from varchar(5),
    add column quiet_to varchar(5),
    add column show_details boolean not null default false,
    add constraint users_quiet check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to);

-- A person's own. It goes with the membership.
create table reminders (
    id uuid primary key,
    family_id uuid not null,
    user_id uuid not null,
    child_id uuid not null,
    -- What it counts from: events of a kind, by its number, or doses of a plan.
    kind smallint,
    after_minutes smallint,
    plan_id uuid,
    -- What it was told for, the newest last: events, or moments of a plan.
    told text[] not null default '{}',
    created_at timestamptz not null,
    check ((kind is null) <> (plan_id is null) and (kind is null) = (after_minutes is null)),
    foreign key (family_id, user_id) references family_members (family_id, user_id) on delete cascade,
    foreign key (family_id, child_id) references children (family_id, id) on delete cascade,
    foreign key (family_id, plan_id) references plans (family_id, id) on delete cascade
);
create index reminders_of_family on reminders (family_id);
create index reminders_of_user on reminders (user_id);
create unique index reminders_of_kind on reminders (family_id, user_id, child_id, kind) where kind is not null;
create unique index reminders_of_plan on reminders (family_id, user_id, plan_id) where plan_id is not null;

-- What a member wants to be told of. Without a row: nothing that is logged; of members, parents all.
create table notification_settings (
    family_id uuid not null,
    user_id uuid not null,
    -- By their numbers.
    kinds smallint[] not null,
    members boolean not null,
    access_ends boolean not null,
    primary key (family_id, user_id),
    foreign key (family_id, user_id) references family_members (family_id, user_id) on delete cascade
);

-- Whether anybody has a reminder, or is told of what is logged: for other families' events nothing is written below.
alter table feeds add column is_watched boolean not null default false;

-- What is to be told, or looked at whether it is. What it says is found out when it is due.
create table notifications (
    id uuid primary key default gen_random_uuid(),
    family_id uuid not null references families on delete cascade,
    -- changed, reminder, deferred, joined, left, removed, access_ended
    kind varchar(20) not null,
    -- Who did it, or whom it is about.
    user_id uuid,
    -- Who did it, where it is about another one.
    actor_id uuid,
    -- Whom alone it is for: a reminder's person, or somebody whose quiet hours it came in.
    recipient_id uuid,
    reminder_id uuid unique references reminders on delete cascade,
    -- Of changes: those after this number, and up to which they have been told.
    since_revision bigint,
    told_revision bigint,
    -- Of changes: what the same person does next is gathered here.
    is_open boolean not null default false,
    created_at timestamptz not null,
    -- When it may be looked at; while a worker does, when that worker must be gone.
    due_at timestamptz not null,
    attempts integer not null default 0
);
create index notifications_due on notifications (due_at);
create index notifications_of_family on notifications (family_id);
create index notifications_of_recipient on notifications (recipient_id) where recipient_id is not null;
create unique index notifications_open on notifications (family_id, user_id) where is_open;
create unique index notifications_deferred on notifications (family_id, recipient_id, user_id) where kind = 'deferred';
create unique index notifications_access on notifications (family_id, user_id)
    where kind = 'access_ended' and recipient_id is null;

grant select, insert, update, delete on plans, reminders, notification_settings, notifications to babybasics;
