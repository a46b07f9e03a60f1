import { globSync } from 'node:fs'
import { join } from 'node:path'
import { allInBatches, inBatches } from './run/batches.ts'
import { runChecks } from './run/checks.ts'
import { runFiles } from './run/files.ts'

/**
 * Everything that proves the product, in one command: types, lint, format, dead code, then all tests on a real
 * PostgreSQL and in a real browser. `--static` stops before the tests and runs only those that read the sources; file names run only those files.
 */
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const only = given.filter((word) => !word.startsWith('--'))
const total = { passed: 0, failed: 0 }

function add({ passed, failed }: typeof total): void {
  total.passed += passed
  total.failed += failed
}

const isStatic = given.includes('--static')
if (only.length === 0) add(await runChecks(root, isStatic))
if (!isStatic && total.failed === 0) {
  const all = () =>
    allInBatches(
      globSync('{src,test,web,bench,scripts}/**/*.test.ts', { cwd: root, exclude: ['web/dist/**'] }),
    )
  add(await runFiles(root, only.length > 0 ? inBatches(only) : all()))
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
