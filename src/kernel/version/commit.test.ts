import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { findCommit } from './commit.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-commit-'))
after(() => rmSync(folder, { recursive: true }))
const hash = '0123456789abcdef0123456789abcdef01234567'
const short = '0123456789ab'

/** A tree with these files; returns the commit of its `src`. */
function commitOf(name: string, files: Record<string, string>): string | undefined {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return findCommit(join(folder, name, 'src'))
}

test('the packed product says the commit that it was packed from, wherever it is installed', () => {
  const git = { '.git/HEAD': 'f'.repeat(40) }
  assert.equal(commitOf('packed', { ...git, 'src/commit.json': `{ "commit": "${short}" }` }), short)
  assert.equal(commitOf('packed-without', { ...git, 'src/commit.json': '{}' }), undefined)
})

test('a checkout says what its branch points to, loose, packed or detached', () => {
  const head = { '.git/HEAD': 'ref: refs/heads/main\n' }
  assert.equal(commitOf('loose', { ...head, '.git/refs/heads/main': `${hash}\n` }), short)
  const packed = `# pack-refs with: peeled\n${'e'.repeat(40)} refs/heads/mainline\n${hash} refs/heads/main\n`
  assert.equal(commitOf('packed-refs', { ...head, '.git/packed-refs': packed }), short)
  assert.equal(commitOf('detached', { '.git/HEAD': `${hash}\n` }), short)
})

test('a worktree finds its branch in the repository that it belongs to', () => {
  const own = join(folder, 'repository/.git/worktrees/other')
  commitOf('repository', {
    '.git/worktrees/other/HEAD': 'ref: refs/heads/other\n',
    '.git/worktrees/other/commondir': '../..\n',
    '.git/refs/heads/other': `${hash}\n`,
  })
  assert.equal(commitOf('other', { '.git': `gitdir: ${own}\n` }), short)
})

test('without git, and with one that cannot be read, there is no commit', () => {
  assert.equal(commitOf('none', { 'src/main.ts': '' }), undefined)
  assert.equal(commitOf('torn', { '.git/HEAD': 'ref: refs/heads/gone\n' }), undefined)
  assert.equal(commitOf('odd', { '.git/HEAD': 'not a commit\n' }), undefined)
})
