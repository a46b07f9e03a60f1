import type { DatabaseFacts, PendingMigration, UpgradeFacts } from './facts.ts'

export interface Judgement {
  /** An upgrade would fail, or hurt. */
  problems: string[]
  /** It would work; somebody should know this before. */
  warnings: string[]
}

const gigabyte = 1e9
/** From here on, what reads or writes every row takes longer than a request should wait. */
const largeRows = 100_000
const dayMs = 86_400_000

export function judge({ database, disk }: UpgradeFacts, build: string, now = Date.now()): Judgement {
  const free = (disk.free_bytes / gigabyte).toFixed(1)
  const lowDisk =
    disk.free_bytes < gigabyte ? [`Only ${free} GB are free under ${disk.path}. Make room first.`] : []
  if (!database) return { problems: lowDisk, warnings: [] }
  return {
    problems: [...lowDisk, ...newer(database), ...rights(database), ...removals(database, build)],
    warnings: database.pending.length === 0 ? otherBuilds(database, build) : warningsOf(database, build, now),
  }
}

function newer({ breaking, unknown }: DatabaseFacts): string[] {
  if (breaking.length > 0)
    return [
      `The database was written by a newer Signalbox, which took away what this code needs (${breaking.at(-1)}). Install that version, or restore a backup of this one.`,
    ]
  // Served, but not upgraded to: somebody has named the wrong file.
  return unknown.length > 0
    ? [
        `The database was written by a newer Signalbox (${unknown.at(-1)}). This code runs on it, but it is no upgrade.`,
      ]
    : []
}

function rights({ rights: found, pending }: DatabaseFacts): string[] {
  if (pending.length === 0) return []
  const owned = found.not_owned
  return [
    ...(found.may_create_schemas
      ? []
      : ['The user of DATABASE_URL may not create schemas. Run: grant create on database … to ….']),
    ...(owned.length === 0
      ? []
      : [
          `${owned.length} tables belong to another role, ${owned[0]} for example, so they cannot be changed. Connect as their owner, or run: reassign owned by … to ….`,
        ]),
  ]
}

/** During a rolling upgrade the others still use what such a migration takes away. */
function removals({ pending, replicas }: DatabaseFacts, build: string): string[] {
  const removing = pending.filter(({ contracts }) => contracts)
  const others = replicas.filter((replica) => replica.version !== build)
  if (removing.length === 0 || others.length === 0) return []
  return [
    `${removing.map(({ name }) => name).join(', ')} takes away what an earlier version uses, and ${others.length} of its servers run. Upgrade one version at a time, or stop them first.`,
  ]
}

function otherBuilds({ replicas }: DatabaseFacts, build: string): string[] {
  const others = replicas.filter((replica) => replica.version !== build)
  if (others.length === 0 || others.length === replicas.length) return []
  return [`${others.length} of ${replicas.length} servers run another build. Restart them to finish.`]
}

function warningsOf(database: DatabaseFacts, build: string, now: number): string[] {
  const { oldest_transaction_seconds: oldest, rights: found } = database
  return [
    ...database.pending.flatMap(slow),
    ...otherBuilds(database, build),
    ...(oldest > 60
      ? [
          `A transaction has been open for ${oldest} s. A migration gives up after a minute of waiting for it.`,
        ]
      : []),
    ...(found.invalid_indexes.length === 0
      ? []
      : [`Indexes of an interrupted migration are not valid: ${found.invalid_indexes.join(', ')}.`]),
    ...backup(database, now),
  ]
}

const words = {
  none: 'changes',
  reads: 'reads every row of',
  'changes rows': 'may change many rows of',
  rewrites: 'rewrites',
}
const meanwhile = {
  nothing: 'while everything continues',
  writes: 'while writes wait',
  everything: 'while reads and writes wait',
}

function slow({ name, tables, runs_code: runsCode }: PendingMigration): string[] {
  const large = tables.filter(({ work, rows }) => work !== 'none' && rows >= largeRows)
  return [
    ...large.map(
      ({ table, work, blocks, rows, bytes }) =>
        `${name} ${words[work]} ${table} (about ${Math.round(rows).toLocaleString('en')} rows, ${(bytes / gigabyte).toFixed(1)} GB) ${meanwhile[blocks]}.`,
    ),
    ...(runsCode ? [`${name} runs a block of code, whose effects cannot be read from it.`] : []),
  ]
}

function backup({ backups, migrations }: DatabaseFacts, now: number): string[] {
  if (migrations === 0) return []
  const at = backups?.last_good_at ?? null
  if (at === null) return ['No backup is known. Make one first: signalbox backup FILE --check']
  const days = Math.floor((now - Date.parse(at)) / dayMs)
  return days < 1
    ? []
    : [`The last backup is ${days} days old. Make one first: signalbox backup FILE --check`]
}
