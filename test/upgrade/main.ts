import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runUpgrade } from './run.ts'

/*
 * `npm run upgrade -- [REF]`: a server of the release before, on a database that this code has migrated, under load,
 * beside a server of this code. REF is a tag, branch or commit; without it the newest tag is taken.
 */

const root = join(import.meta.dirname, '../..')
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0')
  } catch {
    return undefined
  }
}

async function main(): Promise<number> {
  const ref = process.argv[2] ?? newestTag()
  if (ref === undefined) {
    console.log(
      'No release is tagged yet, so there is none to upgrade from. Name a git ref: npm run upgrade -- REF',
    )
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-'))
  const code = join(folder, 'before')
  try {
    git('worktree', 'add', '--detach', code, ref)
    symlinkSync(join(root, 'node_modules'), join(code, 'node_modules'))
    console.log(`The release before: ${ref} (${git('rev-parse', '--short', ref)})`)
    return await runUpgrade(code)
  } finally {
    const removed = spawn('git', ['worktree', 'remove', '--force', code], { cwd: root, stdio: 'ignore' })
    await once(removed, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
