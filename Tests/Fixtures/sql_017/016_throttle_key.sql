-- The key that the hashes of `login_places` and `login_failures` are made with. Known devices stay known when an invite key is replaced.

-- Sealed by a key that the database does not have: a copy of the database alone opens nothing.
create table throttle_key (
    is_only boolean primary key default true check (is_only),
    nonce bytea not null,
    sealed bytea not null,
    -- Tells whether it was opened rightly.
    proof bytea not null
);

grant select, insert, update on throttle_key to babybasics;
