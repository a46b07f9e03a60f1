import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Counts } from './counts.ts'

const checks = [
  ['types of the server', 'tsc', '--noEmit'],
  ['types of the dashboard', 'tsc', '--noEmit', '-p', 'web'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['dead code', 'knip'],
] as const

/** Everything that is checked without a run. */
export async function runChecks(root: string): Promise<Counts> {
  const counts = { passed: 0, failed: 0 }
  for (const [name, program, ...args] of checks) {
    const child = spawn(join(root, 'node_modules/.bin', program), args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) counts.passed++
    else counts.failed++
    console.log(`${code === 0 ? '✔' : '✖'} ${name}`)
  }
  return counts
}
