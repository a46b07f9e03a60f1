import { createHash } from 'node:crypto'
import { mask } from '#kernel/mask'
import type { DevlogEntry } from '#records/contract'
import { countsOf, isVerified, totalOf } from './counts.ts'
import type { Change, Evidence, RanQuery } from './evidence.ts'
import { isMigration } from './migration.ts'
import { problemsIn, type Validation } from './validation.ts'

/** What a devlog needs to know of the run. */
export interface DevlogRun {
  run_id: string
  agent_id: string
  request: string
  turn: number
}

const [maxTitle, maxIntent, maxSql] = [300, 2_000, 10_240]
const [maxShownQueries, maxShownQuery] = [100, 200]

/** One for each change that was asked for, one for a validation, and one for a run that only read. */
export function devlogsOf(run: DevlogRun, evidence: Evidence, validation: Validation | null): DevlogEntry[] {
  const entries = evidence.changes.map((change) => ofChange(run, change, evidence))
  if (validation) return [...entries, ofValidation(run, validation)]
  return entries.length > 0 || evidence.queries.length === 0 ? entries : [ofReads(run, evidence.queries)]
}

/** A run that only read changes no count: the last total that it asked for is the one before and after. */
function ofReads(run: DevlogRun, queries: readonly RanQuery[]): DevlogEntry {
  const databases = [...new Set(queries.map(({ database }) => database))]
  const total =
    queries.flatMap((query) => query.shape.counted.map((each) => totalOf(query, each))).at(-1) ?? null
  const counted = `${queries.length} ${queries.length === 1 ? 'query' : 'queries'}`
  const rows = queries.map(({ sql, result }): [string, string] => [
    cut(sql, maxShownQuery),
    `${result.rowCount ?? 0} ${result.rowCount === 1 ? 'row' : 'rows'}`,
  ])
  return entry(run, 'reads', {
    title: `${counted} in ${databases.join(', ')}`,
    sql: queries.map(({ sql }) => sql).join(';\n'),
    result: table(['Query', 'Result'], rows.slice(0, maxShownQueries)),
    tags: [...databases, 'read'],
    validation: { pre_count: total, post_count: total, verified: total !== null },
  })
}

function ofChange(run: DevlogRun, change: Change, evidence: Evidence): DevlogEntry {
  const { database, outcome, rowsAffected, error, auditIds } = change
  const counts = countsOf(change, evidence)
  const verified = isVerified(change, counts)
  const on = counts.table === null ? '' : ` on ${counts.table}`
  const suffix = outcome === 'executed' ? '' : `: ${words[outcome]}`
  const result = bullets([
    `Outcome: ${words[outcome]}`,
    `Database: ${database}`,
    ...(error === null ? [] : [`Error: ${error}`]),
    ...(rowsAffected === null ? [] : [`Rows affected: ${rowsAffected}`]),
    ...(counts.table === null
      ? []
      : [`Rows in ${counts.table}: ${shown(counts.before)} before, ${shown(counts.after)} after`]),
    `Verified: ${verified ? 'yes' : 'no'}`,
    `Audit log: ${auditIds.join(', ')}`,
  ])
  return entry(run, change.key, {
    title: `${change.operations.join(', ')}${on} in ${database}${suffix}`,
    sql: change.sql,
    result,
    tags: [database, isMigration(change) ? 'migration' : 'data-change', ...change.operations.map(slug)],
    validation: { pre_count: counts.before, post_count: counts.after, verified },
  })
}

const words: Record<Change['outcome'], string> = {
  executed: 'executed',
  already_applied: 'already applied',
  failed: 'failed',
  unknown: 'outcome unknown',
  rejected: 'rejected',
  refused: 'refused',
}

function ofValidation(run: DevlogRun, found: Validation): DevlogEntry {
  const { workflow, database, problems, before, after } = found
  const verified = workflow.status === 'complete' && problems === 0
  const queries = [...new Set(found.found.flatMap((step) => step.queries))]
  const steps = found.found.map(({ title, queries: ran }): [string, string] => {
    const results = ran.map((query) =>
      query.shape.checks.length > 0 ? `${shown(problemsIn(query))} found` : rowsOf(query, found),
    )
    return [title, results.length === 0 ? 'not done' : results.join('; ')]
  })
  const summary = problems === null ? 'problems not counted' : `${problems} problems found`
  return entry(run, 'validation', {
    title: `Validation of ${found.table} in ${database}: ${summary}${workflow.status === 'complete' ? '' : ', incomplete'}`,
    sql: queries.map(({ sql }) => sql).join(';\n'),
    result: `${table(['Step', 'Result'], steps)}\n\n${bullets([`Verified: ${verified ? 'yes' : 'no'}`])}`,
    tags: [database, 'validation'],
    validation: { pre_count: before, post_count: after, verified },
  })
}

const rowsOf = (
  { shape, result }: Validation['found'][number]['queries'][number],
  { before }: Validation,
): string => (shape.isSample ? `${result.rowCount} rows read` : `${shown(before)} rows`)

const shown = (count: number | null): string => (count === null ? 'not counted' : String(count))
const slug = (operation: string): string => operation.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

function entry(
  run: DevlogRun,
  key: string,
  {
    title,
    sql,
    result,
    tags,
    validation,
  }: {
    title: string
    sql: string
    result: string
    tags: string[]
    validation: { pre_count: number | null; post_count: number | null; verified: boolean }
  },
): DevlogEntry {
  const text = cut(mask(sql), maxSql)
  return {
    id: idOf(run.run_id, run.turn === 1 ? key : `${key} ${run.turn}`),
    service_id: run.agent_id,
    log_type: 'config',
    title: cut(mask(title), maxTitle),
    content: mask(`${section('SQL', sqlBlock(text))}\n\n${section('Result', result)}\n`),
    tags: [...new Set(tags)].slice(0, 20),
    metadata: { intent: cut(mask(run.request), maxIntent), sql: text, validation },
    author_kind: 'ai',
    author: run.agent_id,
  }
}

/** The same for the same change of the same run, so that it is written once. */
function idOf(runId: string, key: string): string {
  const hex = createHash('sha256').update(`devlog ${runId} ${key}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** Text from databases and models, put into Markdown so that it stays text. */

const section = (title: string, body: string): string => `## ${title}\n\n${body}`

/** The fence is longer than any in the text. */
function sqlBlock(sql: string): string {
  const longest = Math.max(2, ...[...sql.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${sql}\n${fence}`
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${plain(line)}`).join('\n')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(plain).join(' | ')} |`).join('\n')

const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
