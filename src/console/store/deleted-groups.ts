import type pg from 'pg'

/** Rows per statement, so that none holds up the writers for long. */
const portion = 5_000
/** Counts by hour are deleted last: they say which groups had events. */
const others = ['console.heads', 'console.minutes', 'console.hours']

/** Deletes the events of groups that were deleted. Returns how many groups there were. */
export async function deleteOfDeletedGroups(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ group_id: string }>(
    // From one group to the next in the index: one step per group, however many counts each has.
    `with recursive known as (
       (select group_id from console.hours order by group_id limit 1)
       union all
       select (select group_id from console.hours where group_id > known.group_id order by group_id limit 1)
       from known where known.group_id is not null
     )
     select group_id from known
     where group_id is not null and not exists (select from access.groups where id = group_id)`,
  )
  for (const { group_id: groupId } of rows) {
    while ((await deleteEvents(pool, groupId)) === portion);
    for (const table of others) await pool.query(`delete from ${table} where group_id = $1`, [groupId])
  }
  return rows.length
}

async function deleteEvents(pool: pg.Pool, groupId: string): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from console.events where group_id = $1
       and id in (select id from console.events where group_id = $1 order by id limit ${portion})`,
    [groupId],
  )
  return rowCount ?? 0
}
