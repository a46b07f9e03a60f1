import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Pinned: another version finds other things. */
const version = '4.32.5'
export const caches = join(import.meta.dirname, '../../../node_modules/.cache')

export const hasPython = (): boolean => spawnSync('python3', ['-m', 'venv', '--help']).status === 0

/** The program, in a virtual environment that is made once and kept beside other caches. */
export function schemathesis(): string {
  const folder = join(caches, `schemathesis-${version}`)
  const program = join(folder, 'bin/st')
  if (existsSync(program)) return program
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' })
  const pip = join(folder, 'bin/pip')
  execFileSync(pip, ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`], {
    stdio: 'inherit',
  })
  return program
}
