import { execFileSync } from 'node:child_process'
import { usersOf } from './tiers.ts'

/**
 * Of these test files, those that load something which differs from the given commit. What is not code is met by the
 * tests of its part, and a migration by every test with a database.
 */
export function changedFrom(commit: string, root: string, files: readonly string[]): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [
    ...git('diff', '--name-only', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const users = usersOf(
    changed.map((file) => (file.startsWith('migrations/') ? 'test/harness/database.ts' : file)),
  )
  const parts = changed
    .filter((file) => !/\.[jt]sx?$/.test(file))
    .map((file) => file.split('/').slice(0, 2).join('/'))
  return files.filter((file) => users.has(file) || parts.some((part) => file.startsWith(`${part}/`)))
}
