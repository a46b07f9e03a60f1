import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Counts } from './counts.ts'

type Check = readonly [name: string, program: string, ...args: string[]]

/** The longest first. The compiler checks in one thread: each further one would work out the shared types again. */
const checks: readonly Check[] = [
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types of the server', 'tsc', '--noEmit', '--singleThreaded'],
  ['types of the dashboard', 'tsc', '--noEmit', '--singleThreaded', '-p', 'web'],
  ['dead code', 'knip'],
  ['format', 'oxfmt', '--check', '.'],
]

/** Tests that only read the sources: walls, SQL snapshots and words. */
const sourceTests: Check = [
  'walls, SQL and words',
  'node',
  '--test',
  '--test-reporter=spec',
  ...['test/architecture.test.ts', 'test/sql/queries.test.ts', 'test/language.test.ts'],
]

/** The compiler and the linter are written in Go, which by default collects garbage far too often for them. */
const env = { ...process.env, GOGC: '400' }

/** Everything that is checked without a run. `isAll`: no tests follow, so those that only read sources are run too. */
export async function runChecks(root: string, isAll: boolean): Promise<Counts> {
  const counts = { passed: 0, failed: 0 }
  const waiting = [...checks, ...(isAll ? [sourceTests] : [])]
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const isPassed = await runCheck(root, check)
      if (isPassed) counts.passed++
      else counts.failed++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return counts
}

async function runCheck(root: string, [name, program, ...args]: Check): Promise<boolean> {
  const child = spawn(join(root, 'node_modules/.bin', program), args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await ended) as [number | null]
  // In one piece, because others run at the same time.
  console.log(`${output}${errors}${code === 0 ? '✔' : '✖'} ${name}`)
  return code === 0
}
