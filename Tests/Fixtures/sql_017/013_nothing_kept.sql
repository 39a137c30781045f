-- Answers are not kept any more, so nothing has to forget them. Workers of the version before keep on using the tables, which hold by the
-- family's revision; a later release drops them, with `user_rates` and `require_member`.

lock table families;

do $$
declare
    kind text;
begin
    foreach kind in array array['feedings', 'diapers', 'sleeps', 'notes'] loop
        execute format('drop trigger inserted_by_hand on %I', kind);
        execute format('drop trigger updated_by_hand on %I', kind);
        execute format('drop trigger removed on %I', kind);
    end loop;
end
$$;
