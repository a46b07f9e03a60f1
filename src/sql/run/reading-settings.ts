import type { PoolClient, QueryResult } from 'pg'
import { Refusal } from '../refusal.ts'

/** With these values the server reads a text as the parser did, and writes values as we read them. */
const fixed: Record<string, string> = {
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  client_encoding: 'UTF8',
  transform_null_equals: 'off',
  array_nulls: 'on',
  xmloption: 'content',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Others that say what a text means, who runs it and how long. They belong to the role and the proxy. */
const kept = [
  'search_path',
  'role',
  'session_authorization',
  'row_security',
  'session_replication_role',
  'transaction_read_only',
  'default_text_search_config',
  'lc_monetary',
  'lc_numeric',
  'timezone_abbreviations',
  'statement_timeout',
  'lock_timeout',
  'application_name',
]

const names = [...Object.keys(fixed), ...kept]

const setFixed = Object.entries(fixed).map(([name, value]) => `set local ${name} = '${value}'`)
/** No operator and no cast: a changed search_path must not decide which ones it uses. */
const readAll = `select ${names.map((name, at) => `pg_catalog.current_setting('${name}', true) as s${at}`).join(', ')}`

type Values = Record<string, string | null>

/**
 * Runs one statement of a caller. The settings that change how texts are read are set before it, and compared after it:
 * a statement that changed one, by whatever way, is rolled back, for the next text would mean something else.
 */
export async function withFixedSettings<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  const results = (await client.query([...setFixed, readAll].join('; '))) as unknown as QueryResult<Values>[]
  const before = results.at(-1)?.rows[0]
  const result = await work()
  const { rows } = await client.query<Values>(readAll)
  const changed = names.filter((_name, at) => before?.[`s${at}`] !== rows[0]?.[`s${at}`])
  if (changed.length === 0) return result
  throw new Refusal(
    'session_change',
    `The statement changed settings of its session (${changed.join(', ')}) and was rolled back. Leave that out.`,
  )
}
