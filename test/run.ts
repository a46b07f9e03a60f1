import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { browserProgram } from './harness/browser-program.ts'
import { startTestServer } from './harness/server.ts'

/**
 * Everything that proves the product, in one command: types, lint, format, dead code, then all tests on a real
 * PostgreSQL and in a real browser. `--static` stops before the tests; file names run only those files.
 */
const root = join(import.meta.dirname, '..')
const checks = [
  ['types of the server', 'tsc', '--noEmit'],
  ['types of the dashboard', 'tsc', '--noEmit', '-p', 'web'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['dead code', 'knip'],
] as const

let passed = 0
let failed = 0

function runChecks(): void {
  for (const [name, program, ...args] of checks) {
    const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status === 0) passed++
    else failed++
    console.log(`${status === 0 ? '✔' : '✖'} ${name}`)
  }
}

async function runTests(files: string[]): Promise<void> {
  const server = await startTestServer()
  // Once, before several files want them at the same time; the dashboard may be older than its sources.
  if (files.some((file) => file.includes('/browser/'))) {
    await browserProgram()
    await import('../scripts/build-web.ts')
  }
  const stopping = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => {
      failed++
      stopping.abort(new Error(name))
    })
  // What is run by hand may install things first.
  const timeout = files.some((file) => file.endsWith('.check.ts')) ? 3_600_000 : 300_000
  const stream = run({ files, concurrency: 2, timeout, signal: stopping.signal })
  stream.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return
    passed += counts.passed
    failed += counts.tests - counts.passed - counts.skipped
    if (counts.tests === 0) throw new Error('No test was found')
  })
  stream.compose(spec()).pipe(process.stdout)
  await new Promise((resolve) => stream.once('end', resolve))
  await server.stop()
}

const given = process.argv.slice(2)
const only = given.filter((word) => !word.startsWith('--'))
if (only.length === 0) runChecks()
if (!given.includes('--static') && failed === 0) {
  const files =
    only.length > 0
      ? only
      : globSync('{src,test,web,bench,scripts}/**/*.test.ts', { cwd: root, exclude: ['web/dist/**'] })
  await runTests(files.map((file) => join(root, file)))
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
