import { UsageError, type Command } from '#kernel/command'
import { loadConfig } from '#kernel/config'
import { createLog } from '#kernel/log'
import { build } from '#kernel/version'
import { readFacts, type DatabaseFacts, type UpgradeFacts } from '../upgrade/facts.ts'
import { judge } from '../upgrade/judge.ts'

export const command: Command = {
  summary: 'Say what an upgrade to this version would do',
  usage: [
    '--check [--json]',
    '(reads the database and changes nothing. A server upgrades the database when it starts)',
    '(exit code 0: up to date, or ready to be upgraded; 1: there are problems)',
  ],
  options: { check: { type: 'boolean' } },
  async run({ flags, print }) {
    if (flags['check'] !== true)
      throw new UsageError('Use --check. A server upgrades the database when it starts.')
    const config = loadConfig()
    const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
    const facts = await readFacts(config, log)
    const { problems, warnings } = judge(facts, build)
    const lines = [
      ...describe(facts),
      '',
      ...warnings.map((text) => `warn  ${text}`),
      ...problems.map((text) => `FAIL  ${text}`),
      verdict(facts, problems.length),
    ]
    print(lines.join('\n'), { ok: problems.length === 0, problems, warnings, ...facts })
    return problems.length === 0 ? 0 : 1
  },
}

function describe({ code, database, disk, journal_bytes: journal }: UpgradeFacts): string[] {
  const line = (name: string, text: string): string => `${name.padEnd(10)} ${text}`
  return [
    line(
      'this code',
      `${code.version} (commit ${code.commit}), ${code.migrations} migrations up to ${code.schema}`,
    ),
    line('database', database ? ofDatabase(database) : 'none yet, the first start makes it'),
    ...(database ? [line('servers', serversOf(database)), line('backup', backupOf(database))] : []),
    line('disk', `${(disk.free_bytes / 1e9).toFixed(1)} GB free under ${disk.path}`),
    line('journal', `${(journal / 1e6).toFixed(1)} MB not copied yet, or just copied`),
    ...(database?.pending ?? []).flatMap(({ name, contracts, tables }) => [
      line('pending', `${name}${contracts ? ', takes away what earlier versions use' : ''}`),
      ...tables.map(
        ({ table, work, blocks, rows }) =>
          `${' '.repeat(13)}${table}, about ${Math.round(rows).toLocaleString('en')} rows: ${work === 'none' ? 'quick' : work}, blocks ${blocks}`,
      ),
    ]),
  ]
}

const ofDatabase = ({ kind, server, schema, migrations }: DatabaseFacts): string =>
  `${kind}, PostgreSQL ${server}, ${migrations === 0 ? 'empty' : `${migrations} migrations up to ${schema}`}`

function serversOf({ replicas }: DatabaseFacts): string {
  if (replicas.length === 0) return 'none runs'
  const builds = Map.groupBy(replicas, ({ version }) => version)
  return [...builds]
    .map(
      ([version, group]) =>
        `${version} on ${group.map(({ host, process: pid }) => `${host} (${pid})`).join(', ')}`,
    )
    .join('; ')
}

function backupOf({ backups }: DatabaseFacts): string {
  const good = backups?.last_good_at ?? null
  const failed = backups?.last_failed_at ?? null
  const text = good === null ? 'none known' : `last one ${good}`
  return failed !== null && (good === null || failed > good) ? `${text}, failed since: ${failed}` : text
}

function verdict({ database }: UpgradeFacts, problems: number): string {
  if (problems > 0) return `${problems} ${problems === 1 ? 'problem' : 'problems'}. Nothing was changed.`
  const pending = database?.pending.length ?? 0
  if (pending === 0) return database ? 'Up to date.' : 'Ready for the first start.'
  return `Ready: the next start runs ${pending} ${pending === 1 ? 'migration' : 'migrations'}. Nothing was changed.`
}
