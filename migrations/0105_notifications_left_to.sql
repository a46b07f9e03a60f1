-- Who a mail has not reached, where some of its addresses refused it. Null: nobody has it yet, so it goes to all of
-- the channel. An older release beside this one sends it to all once more, with the same ID.
alter table notifications.deliveries
  -- They refused it for now and are tried again.
  add column left_to text[],
  -- They refused it for good.
  add column refused_by text[];
