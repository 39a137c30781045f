-- Mail: what waits to be sent, the links in it, and how often somebody was written to. Accounts that an operator disabled.

alter table users
    add column email_verified_at timestamptz,
    -- Since then nobody gets in.
    add column disabled_at timestamptz;

-- Of the link that was mailed to the invitee. Whoever made the invite never sees it, so that opening it proves the address.
alter table share_links add column mail_token_hash varchar(64) unique;

-- A row goes when its mail was sent. What is in the mail is looked up then: here is neither a name nor a token.
create table mails (
    -- Also of its Message-ID. Tokens of links are derived from it, by a key that the database does not have.
    id uuid primary key,
    -- `forgotten` is somebody's wish for a link: whose it is, if anybody's, is found out by the sender.
    kind varchar(20) not null
        check (kind in ('forgotten', 'reset', 'verify', 'password_changed', 'email_changed', 'invite')),
    user_id uuid references users on delete cascade,
    -- Of an invite; no foreign key, as it would tie an account's table to a family's.
    share_link_id uuid,
    recipient varchar(254) not null,
    language varchar(20) not null default 'en',
    created_at timestamptz not null,
    -- When it may be tried; while a worker sends it, when that worker must be gone.
    due_at timestamptz not null,
    attempts integer not null default 0
);
create index mails_due on mails (due_at);

-- An account has one of each purpose: a newer one takes the older one's place.
create table mailed_links (
    user_id uuid not null references users on delete cascade,
    purpose varchar(20) not null check (purpose in ('reset', 'verify')),
    -- Of its mail.
    id uuid not null,
    token_hash bytea not null unique,
    -- Where it was sent, and what opening it proves.
    email varchar(254) not null,
    expires_at timestamptz not null,
    primary key (user_id, purpose)
);
create index mailed_links_age on mailed_links (expires_at);

-- When somebody was written to last, oldest first: no stranger fills a mailbox. A hash, so that no address outlives its account.
create table mail_rates (
    purpose varchar(20) not null,
    recipient bytea not null,
    sent timestamptz[] not null,
    primary key (purpose, recipient)
) with (fillfactor = 70);

grant select, insert, update, delete on mails, mailed_links, mail_rates to babybasics;
