-- For a statement that has waited for a family's lock: what it has read before it waited may be out of date, what this function reads is not
-- (each query in a volatile function sees what was committed until then).
create function require_member(child uuid, member uuid) returns boolean volatile language plpgsql as $$
begin
    if not exists (
        select from children c join family_members m on m.family_id = c.family_id
        where c.id = child and m.user_id = member
    ) then
        raise exception 'the child or the membership is gone' using errcode = 'BB001';
    end if;
    return true;
end
$$;
