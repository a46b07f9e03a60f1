import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { MigrationWarning } from './migration.ts'

/** The proxy sets both timeouts, runs everything in one transaction, and has no opinion on types. */
const leftOut = [
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-robust-stmts',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-text-field',
  'prefer-timestamp-tz',
]

const report = z.array(z.object({ rule_name: z.string(), message: z.string(), help: z.string().nullable() }))
const maxWarnings = 50

/** Asks squawk, a linter for PostgreSQL migrations that knows which changes lock and rewrite tables. */
export async function lint(statements: readonly string[], log: Log): Promise<MigrationWarning[]> {
  try {
    const text = statements.map((statement) => `${statement.replace(/(?<![;\s])[;\s]+$/, '')}\n;`).join('\n')
    const found = report.parse(JSON.parse(await run(text)))
    const unique = new Map(
      found.map(({ rule_name: rule, message, help }) => [
        `${rule} ${message}`,
        { rule, message: help === null ? message : `${message} ${help}` },
      ]),
    )
    return [...unique.values()].slice(0, maxWarnings)
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'the linter for migrations could not run')
    return []
  }
}

function run(text: string): Promise<string> {
  const args = ['--reporter', 'json', '--assume-in-transaction', `--exclude=${leftOut.join(',')}`]
  return new Promise((resolve, reject) => {
    const child = execFile(
      program(),
      [...args, '--stdin-filepath', 'migration.sql'],
      // Nothing of our environment, which holds secrets, is for a program of somebody else.
      { timeout: 10_000, maxBuffer: 4_000_000, env: {} },
      // It exits with 1 when it has something to say.
      (error, stdout) => (stdout === '' && error ? reject(error) : resolve(stdout)),
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(text)
  })
}

/** The program itself, without the script that finds and starts it. */
function program(): string {
  const own = createRequire(createRequire(import.meta.url).resolve('squawk-cli/package.json'))
  const folder = dirname(own.resolve(`@squawk-cli/${process.platform}-${process.arch}/package.json`))
  return join(folder, 'bin', process.platform === 'win32' ? 'squawk.exe' : 'squawk')
}
