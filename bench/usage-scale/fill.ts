import type pg from 'pg'
import { ensurePartitions, listPartitions } from '../../src/usage/log/partitions.ts'

const days = 90
const dayMs = 86_400_000
const rowsAtOnce = 250_000

export interface World {
  /** The group that has most of the rows, and one that has few. */
  main: string
  small: string
  /** The start of the first day. */
  from: Date
  to: Date
}

/**
 * Groups, keys and models of a team at work: a few models and keys have most of the traffic, and a few have hardly any.
 * The last key of the large group and the last five models are the rare ones.
 */
export async function describeWorld(pool: pg.Pool, groups: readonly string[]): Promise<void> {
  await pool.query(`create schema bench`)
  await pool.query(
    `create table bench.groups as
     select id::uuid, at - 1 as nr, (array[0.7, 0.15, 0.09, 0.0595, 0.0005])[at] as share
     from unnest($1::text[]) with ordinality as g (id, at)`,
    [groups],
  )
  // Thirty keys: sixteen of the large group, the others shared out.
  await pool.query(
    `create table bench.keys as
     select gen_random_uuid() as id, g.id as group_id, k as nr, (array[16, 6, 4, 3, 1])[g.nr + 1] as of
     from bench.groups g, generate_series(0, (array[16, 6, 4, 3, 1])[g.nr + 1] - 1) as k`,
  )
  await pool.query(
    `create table bench.models as
     select nr, provider, provider || '-model-' || nr as name, gen_random_uuid() as price_id,
       round((0.15 + (nr * 37 % 23) * 0.35)::numeric, 2) as input, round((0.6 + (nr * 37 % 23) * 1.7)::numeric, 2) as output,
       nr % 13 <> 7 as is_priced
     from (select nr, (array['anthropic', 'openai', 'gemini', 'openrouter', 'perplexity'])[1 + least(nr % 6, 4)] as provider
           from generate_series(0, 39) as nr) as m`,
  )
  await pool.query(
    `insert into access.api_keys (id, group_id, name, key_hash, key_prefix, key_suffix, scopes)
     select id, group_id, 'key ' || nr, sha256(id::text::bytea), 'sb-bench', 'bnch', '{gateway}' from bench.keys`,
  )
  await pool.query(
    `insert into usage.model_pricing (id, model_id, source, input_price_per_1m, output_price_per_1m, effective_from)
     select price_id, name, 'built_in', input, output, '2020-01-01' from bench.models where is_priced`,
  )
}

export async function findWorld(pool: pg.Pool): Promise<World> {
  const { rows } = await pool.query<{ id: string }>('select id from bench.groups order by nr')
  const to = new Date(Math.floor(Date.now() / dayMs) * dayMs)
  return {
    main: rows[0]?.id ?? '',
    small: rows.at(-1)?.id ?? '',
    from: new Date(to.getTime() - days * dayMs),
    to,
  }
}

/** Rows in the order of time, straight into the partitions with every index in place, as the copier leaves them. */
export async function fillLog(
  pool: pg.Pool,
  world: World,
  rows: number,
  report: (done: number) => void,
): Promise<void> {
  // The oldest month in tables of a day, as with retention; the rest in tables of a month, as without.
  await ensurePartitions(pool, world.from, new Date(world.from.getTime() + 30 * dayMs), days)
  await ensurePartitions(pool, world.from, world.to, undefined)
  const client = await pool.connect()
  try {
    await client.query(`set synchronous_commit = off`)
    for (let done = 0; done < rows; done += rowsAtOnce) {
      const upTo = Math.min(rows, done + rowsAtOnce)
      await client.query(insertRows, [done, upTo - 1, world.from.getTime(), (days * dayMs) / rows])
      report(upTo)
    }
  } finally {
    client.release()
  }
}

const insertRows = `
  with drawn as (
    select i, ($3::float8 + i * $4::float8)::bigint as ms, md5(i::text) as hash, random() as of_group,
      random() as of_key, random() as of_model, random() as rare, random() as luck, random() as size
    from generate_series($1::int, $2::int) as i
  ), placed as (
    select d.*, case when of_group < 0.7 then 0 when of_group < 0.85 then 1 when of_group < 0.94 then 2
                     when of_group < 0.9995 then 3 else 4 end as group_nr,
      -- A few rows in a million go to the rare models, and as many to the rare key.
      case when rare < 0.00002 then 35 + (hash < '8')::int * 2 + (luck * 3)::int % 3
           else floor(35 * of_model ^ 2.5)::int end as model_nr,
      (size * size * 12000)::int + 40 as prompt, (luck * 900)::int + 5 as completion
    from drawn d
  ), known as (
    select p.*, g.id as group_id, k.id as key_id, m.provider, m.name as model, m.input, m.output, m.is_priced,
      m.price_id, p.luck < 0.02 as is_error, to_timestamp(p.ms / 1000.0) as at, (p.size * 20000)::int + 300 as took
    from placed p
    join bench.groups g on g.nr = p.group_nr
    join bench.models m on m.nr = least(39, p.model_nr)
    join bench.keys k on k.group_id = g.id and k.nr = case
      when p.group_nr = 0 and p.rare > 0.99998 then 15
      when p.group_nr = 0 then floor(15 * p.of_key ^ 2)::int
      else floor(k.of * p.of_key)::int end
  )
  insert into usage.usage_logs
  select
    (lpad(to_hex(ms), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
    group_id, case when luck > 0.995 then null else key_id end, price_id, case when is_priced then price_id end,
    at, at + took * interval '1 millisecond',
    case when is_error then 0 else prompt end, case when is_error then 0 else completion end,
    case when is_error or size < 0.5 then 0 else prompt / 2 end, 0, 0,
    case when is_error or size < 0.7 then 0 else completion / 2 end, 0, 0,
    took, case when luck < 0.6 then took / 4 end,
    case when is_error then (array[429, 500, 502, 400])[1 + (size * 3)::int] else 200 end, luck < 0.6,
    case when is_error then 'none' when luck > 0.99 then 'estimated' else 'provider' end,
    provider, model, '/v1/chat/completions',
    case when is_priced then case when is_error then 0 else prompt * input / 1000000 end end,
    case when is_priced then case when is_error then 0 else completion * output / 1000000 end end,
    null,
    case when size < 0.2 then 'user-' || (luck * 500)::int end,
    case when is_error then 'The provider returned ' || provider || ': rate limit reached for ' || model end,
    null,
    case when size > 0.7 then jsonb_build_object('team', 'search', 'trace', substr(hash, 1, 16)) end
  from known order by ms, i`

/** The sums as the copier would have left them; the days follow by their trigger. */
export async function sumUp(pool: pg.Pool): Promise<void> {
  for (const { table } of await listPartitions(pool))
    await pool.query(
      `insert into usage.hourly
       select group_id, date_trunc('hour', started_at, 'UTC'), api_key_id, provider, model, status_code >= 400,
         count(*), count(*) filter (where input_cost is null), count(*) filter (where usage_source = 'estimated'),
         sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens),
         sum(reasoning_tokens), sum(input_cost), sum(output_cost), sum(duration_ms)
       from ${table} group by 1, 2, 3, 4, 5, 6`,
    )
  for (const table of ['usage_logs', 'hourly', 'daily']) await pool.query(`vacuum analyze usage.${table}`)
}
