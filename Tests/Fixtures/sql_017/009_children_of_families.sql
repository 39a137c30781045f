-- What an event's child and family are looked up by together. See migration 11.
create unique index if not exists children_id_family on children (id, family_id);
