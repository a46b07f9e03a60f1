import type pg from 'pg'

/** So many rows at a time, so that no statement holds up the writers for long. */
const portion = 5_000
/** Counts by hour are deleted last: they say which groups had events. */
const counts = ['console.minutes', 'console.hours']

/** Deletes the events of groups that were deleted. Returns how many groups there were. */
export async function deleteOfDeletedGroups(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ group_id: string }>(
    `select distinct group_id from console.hours
     where not exists (select from access.groups where groups.id = hours.group_id)`,
  )
  for (const { group_id: groupId } of rows) {
    while ((await deleteEvents(pool, groupId)) === portion);
    for (const table of counts) await pool.query(`delete from ${table} where group_id = $1`, [groupId])
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
