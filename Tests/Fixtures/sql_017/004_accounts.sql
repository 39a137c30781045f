-- Accounts that can be deleted, and a limit on guessing one account's password from many addresses.

alter table users
    -- A deleted account keeps its row, because what it logged shows its name. Nothing else of the person stays.
    add column deleted_at timestamptz,
    alter column email drop not null,
    alter column password_hash drop not null,
    add constraint users_deleted check (
        (deleted_at is null) = (email is not null) and (deleted_at is null) = (password_hash is not null));

create index share_links_invitee on share_links (invitee_email) where invitee_email is not null;

-- Where each account has signed in from. Both columns are hashes under a key that the database does not have.
create table login_places (
    account bytea not null,
    place bytea not null,
    seen_at timestamptz not null,
    primary key (account, place)
);

-- Attempts to sign in that have not succeeded, by the same hash of the email, whether or not there is such an account.
-- A crash empties the table, which forgives and loses nothing else.
create unlogged table login_failures (
    account bytea primary key,
    failures integer not null,
    failed_at timestamptz not null
);
create index login_failures_age on login_failures (failed_at);

grant select, insert, update, delete on login_places, login_failures to babybasics;
