import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { hasPython, schemathesis } from './schemathesis/environment.ts'

/**
 * Everything that checks that the server stays closed: the matrix of routes and principals, every hostile value in every
 * place, planted secrets, and schemathesis where there is Python. `npm run audit:security`
 */
const root = join(import.meta.dirname, '../..')
const all = globSync('test/security/**/*.{test,check}.ts', { cwd: root }).toSorted()
// Made before the files that use it: they run at the same time.
if (hasPython()) schemathesis()
const { status } = spawnSync(process.execPath, ['test/run.ts', ...all], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
