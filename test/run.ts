import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allInBatches, inBatches, inLargeBatches } from './run/batches.ts'
import { changedFrom } from './run/changed.ts'
import { runChecks } from './run/checks.ts'
import type { Counts } from './run/counts.ts'
import { runFiles } from './run/files.ts'
import { tiersOf } from './run/tiers.ts'

/**
 * Everything that proves the product, in one command: types, lint, format, dead code, then the tests that need only
 * their own process, then those on a real PostgreSQL and in a real browser. File names run only those files.
 */
const { values: flags, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    /** Stops before the tests and runs only those that read the sources. */
    static: { type: 'boolean', default: false },
    /** Only the tests that need no database. */
    pure: { type: 'boolean', default: false },
    /** Only the tests that load what differs from this commit. */
    since: { type: 'string' },
    /** A file that fails beside others is not tried again alone. */
    strict: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const total: Counts = { passed: 0, failed: 0 }
const tiers: (Counts & { name: string; files: number; seconds: number })[] = []

function add({ passed, failed }: Counts): void {
  total.passed += passed
  total.failed += failed
}

async function runTier(name: string, batches: readonly string[][]): Promise<void> {
  if (batches.length === 0) return
  const started = performance.now()
  const counts = await runFiles(root, batches, { hasDatabase: name !== 'pure', isStrict: flags.strict })
  add(counts)
  const seconds = (performance.now() - started) / 1000
  tiers.push({ name, files: batches.flat().length, seconds, ...counts })
}

function allFiles(): string[] {
  return globSync('{src,test,web,bench,scripts}/**/*.test.ts', {
    cwd: root,
    exclude: ['web/dist/**'],
  }).toSorted()
}

const isWhole = only.length === 0 && flags.since === undefined && !flags.pure
if (isWhole) add(await runChecks(root, flags.static))
if (only.length > 0) await runTier('given', inBatches(only))
else if (!flags.static && total.failed === 0) {
  const files = flags.since === undefined ? allFiles() : changedFrom(flags.since, root, allFiles())
  const { pure, database } = tiersOf(files)
  await runTier('pure', inLargeBatches(pure))
  if (!flags.pure) await runTier('database', isWhole ? allInBatches(database) : inBatches(database))
}
if (tiers.length > 1)
  for (const { name, files, passed, failed, seconds } of tiers)
    console.log(`${name}: ${files} files, ${passed + failed} tests, ${seconds.toFixed(0)} s`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
