-- Webhooks: whom to call when something is logged, and what they are called with.

create table webhooks (
    id uuid primary key,
    family_id uuid not null references families on delete cascade,
    url varchar(2048) not null,
    -- By their numbers; null for all.
    kinds smallint[],
    -- What calls are signed by: whoever reads it could make calls of their own to this receiver, and nothing else.
    secret bytea not null,
    created_by uuid references users on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    is_active boolean not null default true,
    -- It was turned off because it had taken no call for a day.
    failed_at timestamptz,
    -- When it may be called; while a worker calls it, when that worker must be gone. Of many calls one is under way, so that they come in order.
    due_at timestamptz not null,
    -- Tells one worker's claim from the next.
    attempts integer not null default 0,
    is_being_called boolean not null default false,
    unique (family_id, id)
);

-- Whether any is called: other families' events are looked at no further.
alter table feeds add column has_webhooks boolean not null default false;

-- What a webhook is called with, and what came of it. The last 50 of each are kept.
create table webhook_deliveries (
    id uuid primary key default gen_random_uuid(),
    family_id uuid not null,
    webhook_id uuid not null,
    -- What it is about goes with its child.
    child_id uuid not null,
    -- The event's: calls come in this order.
    revision bigint not null,
    -- event.created, event.updated or event.deleted
    type varchar(20) not null,
    -- The row of `events` as it was then.
    event jsonb not null,
    created_at timestamptz not null,
    is_waiting boolean not null default true,
    attempts integer not null default 0,
    tried_at timestamptz,
    -- Of the last answer, or why there was none.
    status integer,
    failure varchar(200),
    delivered_at timestamptz,
    foreign key (family_id, webhook_id) references webhooks (family_id, id) on delete cascade,
    foreign key (family_id, child_id) references children (family_id, id) on delete cascade
);
create index webhook_deliveries_order on webhook_deliveries (family_id, webhook_id, revision);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, revision) where is_waiting;
create index webhook_deliveries_of_child on webhook_deliveries (family_id, child_id);

-- The parents are told when one is turned off.
alter table mails
    drop constraint mails_kind_check,
    add constraint mails_kind_check check (
        kind in ('forgotten', 'reset', 'verify', 'password_changed', 'email_changed', 'invite', 'webhook_off'));

grant select, insert, update, delete on webhooks, webhook_deliveries to babybasics;
