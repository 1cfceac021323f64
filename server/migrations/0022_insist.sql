-- For what a statement takes for granted that is sent without waiting for the answers of those before it: where it does not hold,
-- the transaction fails like one that lost a race, and is run again.
create function insist(holds boolean) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'another transaction came between' using errcode = 'serialization_failure';
  end if;
end
$$;
