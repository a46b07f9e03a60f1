import { sql, type RawBuilder } from 'kysely'
import { usageLog, type UsageLog } from '../contract.ts'

export interface ExportForm {
  format: 'csv' | 'json'
  /** Puts an apostrophe before texts that a spreadsheet would run: callers of the gateway choose some of them. */
  guardFormulas: boolean
}

const time = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** How PostgreSQL computes the fields of a row that are not plain columns. */
const made: Partial<Record<keyof UsageLog, string>> = {
  request_id: `'req_' || replace(id::text, '-', '')`,
  total_tokens: 'prompt_tokens + completion_tokens',
  total_cost: 'trim_scale(coalesce(input_cost + output_cost, input_cost, output_cost))',
  started_at: time('started_at'),
  ended_at: time('ended_at'),
  created_at: time('started_at'),
  attempt_count: 'coalesce(attempt_count, (provider_key_id is not null)::integer)',
  own_ms: 'case when upstream_ms is not null then greatest(duration_ms - upstream_ms, 0) end',
}
const names = Object.keys(usageLog.shape) as (keyof UsageLog)[]
const valueOf = (name: keyof UsageLog): string => `(${made[name] ?? name})`

/** Fields that anyone may fill: what needs quotes or could be a formula is found in these only. */
const freeTexts: readonly (keyof UsageLog)[] = [
  ...(['provider', 'model', 'endpoint', 'user_label', 'error_message'] as const),
  ...(['units', 'metadata', 'session_key', 'subagent_key', 'upstream_request_id', 'route'] as const),
]
/** Money is text in JSON: a number would lose digits. */
const money: readonly (keyof UsageLog)[] = ['input_cost', 'output_cost', 'total_cost', 'stated_cost']

/**
 * One line for each row, made by PostgreSQL: no row becomes an object here, so that an export of millions leaves no
 * garbage behind and takes a third of the time.
 */
export function lineOf({ format, guardFormulas }: ExportForm): RawBuilder<string> {
  if (format === 'json') return sql.raw(`json_build_object(${names.map(jsonMember).join(', ')})::text`)
  const values = names.map((name) =>
    freeTexts.includes(name) ? csvText(name, guardFormulas) : csvPlain(name),
  )
  return sql.raw(`concat_ws(',', ${values.join(', ')})`)
}

const jsonMember = (name: keyof UsageLog): string =>
  `'${name}', ${money.includes(name) ? `${valueOf(name)}::text` : valueOf(name)}`

const csvPlain = (name: keyof UsageLog): string => `coalesce(${valueOf(name)}::text, '')`

/**
 * How a formula may begin: spreadsheets pass over white space of every kind before it, and take full-width signs for
 * the plain ones.
 */
const formulaStart = '^[[:space:]\u00a0\u200b\u3000\ufeff]*[=+@\uff1d\uff0b\uff0d\uff20\u2212-]|^[\\t\\r]'

/** RFC 4180: a value with a comma, a quote or a line break is quoted, and its quotes are doubled. */
function csvText(name: keyof UsageLog, guardFormulas: boolean): string {
  const text = csvPlain(name)
  const safe = guardFormulas
    ? `(case when ${text} ~ '${formulaStart}' then '''' else '' end || ${text})`
    : text
  return `case when ${text} ~ '[",\\r\\n]' then '"' || replace(${safe}, '"', '""') || '"' else ${safe} end`
}

export const csvHead = `${names.join(',')}\r\n`
