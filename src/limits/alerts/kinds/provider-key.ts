import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { plural } from '../words.ts'
import { lowestId } from '#kernel/uuid'

const hourMs = 3_600_000
const maxRows = 5_000

/**
 * A provider key that its provider refuses, several requests in a row. It is over when a request with it succeeds, or
 * when somebody turns it off or deletes it; that nobody uses it any more repairs nothing.
 */
export const providerKey: Kind<ConfigOf<'provider_key'>> = {
  severity: 'error',
  isOnce: false,
  ends: 'with a message',
  async find({ db, groupId, now, open }, { failures }): Promise<Finding[]> {
    const from = lowestId(new Date(now.getTime() - hourMs))
    const rows = await refusedKeys(db, groupId, from, failures)
    return rows.flatMap(({ id, name, key_suffix: suffix, provider_id: provider, used, refused, works }) => {
      const thing = `key:${id}`
      const isFound = open.has(thing) ? !works : used === failures && refused === failures
      if (!isFound) return []
      return [
        {
          thing,
          title: `The ${provider} key "${name}" (…${suffix}) stopped working: refused ${plural(refused, 'time')} in a row`,
          text: 'Requests with it fail. Replace it, or pay the bill at the provider. With several pooled keys the others take over.',
          path: `/providers/keys/${id}`,
          data: { provider_key_id: id, provider, name, refused },
        },
      ]
    })
  },
  over: ({ data }) => `The ${String(data['provider'])} key "${String(data['name'])}" works again or is off`,
}

interface RefusedKey {
  id: string
  name: string
  key_suffix: string
  provider_id: string
  used: number
  refused: number
  works: boolean
}

/** The last calls with each active key: how many, how many of them were refused, and whether the newest succeeded. */
export async function refusedKeys(
  db: Db,
  groupId: string,
  from: string,
  failures: number,
): Promise<RefusedKey[]> {
  const { rows } = await sql<RefusedKey>`
    select k.id, k.name, k.key_suffix, k.provider_id, coalesce(r.used, 0)::int as used,
      coalesce(r.refused, 0)::int as refused, coalesce(r.works, false) as works
    from alerts.provider_keys k
    left join (
      select provider_key_id, count(*) as used, count(*) filter (where is_refused) as refused,
        bool_or(status_code < 400) filter (where nth = 1) as works
      from (
        select provider_key_id, status_code, is_refused,
          row_number() over (partition by provider_key_id order by id desc, place desc) as nth
        from (
          select id, place, provider_key_id, status_code, is_refused from alerts.calls
          where group_id = ${groupId} and id >= ${from}::uuid and provider_key_id is not null
            and status_code <> 499
          order by id desc limit ${maxRows}
        ) as newest
      ) as ranked where nth <= ${failures} group by provider_key_id
    ) r on r.provider_key_id = k.id
    where k.group_id = ${groupId} and k.is_active order by k.id`.execute(db)
  return rows
}
