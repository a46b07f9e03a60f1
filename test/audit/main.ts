import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditVariable } from '../harness/rounds.ts'

/**
 * What `npm test` does once or shortly, again and again: kills, races and random input, and a new part in a copy of the
 * product. `npm run audit`
 */
const root = join(import.meta.dirname, '../..')
const repeated = globSync('{src,test,web}/**/*.test.ts', { cwd: root, exclude: ['web/dist/**'] })
  .filter((file) => readFileSync(join(root, file), 'utf8').includes("from '#test/rounds'"))
  .toSorted()

const files = [...repeated, 'test/sample-part/sample-part.check.ts']
const env = { ...process.env, [auditVariable]: '1' }
const { status } = spawnSync(process.execPath, ['test/run.ts', ...files], {
  cwd: root,
  stdio: 'inherit',
  env,
})
process.exitCode = status ?? 1
