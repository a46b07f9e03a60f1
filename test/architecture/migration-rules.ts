import { statementsOf, type MigrationFile } from '../../src/kernel/db/migration-files.ts'

/** Files before it are those of the first release: nothing older runs beside it. */
export const firstChecked = '0080'

/** What the release before would no longer find, or would find changed. */
const contracting = [
  /\bdrop (table|column|schema|view|materialized view|function|type|constraint|trigger)\b/i,
  /\brename\b/i,
  /\balter column \w+ (set data )?type\b/i,
  /\bset not null\b/i,
  /\btruncate\b/i,
]

/**
 * A replica of the release before runs on the new schema during a rolling upgrade. So a migration only adds; what it
 * takes away is left for a later release, in a file that says so.
 */
export function violationsOf(file: MigrationFile): string[] {
  const made = new Set(
    [...file.text.matchAll(/create (?:unlogged )?table (?:if not exists )?([\w.]+)/gi)].map(
      ([, name]) => name,
    ),
  )
  const statements = statementsOf(file.text)
  return [
    ...statements.flatMap((statement) => againstStatement(statement, file, made)),
    ...(/\bconcurrently\b/i.test(file.text) && !file.isOutsideTransaction
      ? [`${file.name}: "concurrently" needs the line "-- outside a transaction"`]
      : []),
  ]
}

function againstStatement(
  statement: string,
  file: MigrationFile,
  made: ReadonlySet<string | undefined>,
): string[] {
  const found: string[] = []
  const [, altered] = /^alter table (?:if exists )?(?:only )?([\w.]+)/i.exec(statement) ?? []
  const isOld = altered !== undefined && !made.has(altered)
  if (!file.contracts && contracting.some((rule) => rule.test(withoutIndexes(statement))))
    found.push('takes something away: leave it for a later release, in a file with "-- contracts: why"')
  if (isOld && /\badd column\b(?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i.test(statement))
    found.push('a new column that is not null needs a default: the release before does not write it')
  if (
    isOld &&
    /\badd constraint\b[^;]*\b(check|foreign key)\b/i.test(statement) &&
    !/\bnot valid\b/i.test(statement)
  )
    found.push('a new constraint is "not valid" first and validated by a statement of its own')
  const [, index] =
    /^create (?:unique )?index (?!concurrently)[^]*? on (?:only )?([\w.]+)/i.exec(statement) ?? []
  // PostgreSQL makes no index of a partitioned table concurrently.
  if (index !== undefined && !made.has(index) && !/^-- locks: \S/m.test(file.text))
    found.push(
      'an index on a table that is in use is made "concurrently"; of a partitioned one, say who waits: "-- locks: …"',
    )
  const [, name] = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(statement) ?? []
  if (
    name !== undefined &&
    !new RegExp(`drop index concurrently if exists [\\w.]*\\b${name}\\b`, 'i').test(file.text)
  )
    found.push(
      `"drop index concurrently if exists" comes first: an interrupted ${name} stays behind, invalid`,
    )
  return found.map((reason) => `${file.name}: ${reason}`)
}

/** Nothing depends on an index by its name. */
const withoutIndexes = (statement: string): string => statement.replace(/\bdrop index\b/gi, '')
