import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lockDataDir } from './lock.ts'

const script = fileURLToPath(new URL('./testing-lock.ts', import.meta.url))
const otherNamespace = ['unshare', '--pid', '--fork', '--mount-proc']
const mayUnshare = spawnSync(otherNamespace[0] ?? '', [...otherNamespace.slice(1), 'true']).status === 0

function dataDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lock-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A process that tries to take the lock, and what it said. */
async function tryToLock(dataDir: string, wrapper: readonly string[] = []) {
  const [program, ...args] = [...wrapper, process.execPath, script, dataDir]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  after(() => child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const ended = once(child, 'exit')
  return {
    said: said.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    release: async () => {
      child.stdin.end()
      await ended
    },
  }
}

test('a data directory has one holder, which is named to the second', async () => {
  const dataDir = dataDirectory()
  const lock = lockDataDir(dataDir)
  const refusal = `DATA_DIR: another Signalbox (process ${process.pid} on ${hostname()}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`
  assert.throws(() => lockDataDir(dataDir), { name: 'StartFault', message: refusal })
  assert.equal((await tryToLock(dataDir)).said, refusal)
  lock.release()
  assert.ok(!existsSync(join(dataDir, 'signalbox.lock')))
  const next = await tryToLock(dataDir)
  assert.equal(next.said, 'held')
  await next.release()
})

test(
  'the lock holds against a process in another namespace, as in two containers on one volume',
  { skip: mayUnshare ? false : 'this system does not allow a new process namespace' },
  async () => {
    const dataDir = dataDirectory()
    const lock = lockDataDir(dataDir)
    assert.match((await tryToLock(dataDir, otherNamespace)).said, /another Signalbox \(process \d+/)
    lock.release()
    const other = await tryToLock(dataDir, otherNamespace)
    assert.equal(other.said, 'held')
    assert.throws(() => lockDataDir(dataDir), /another Signalbox/)
    await other.release()
  },
)

test('a killed holder leaves the lock free, whatever the file about it says', async () => {
  const dataDir = dataDirectory()
  const killed = await tryToLock(dataDir)
  assert.equal(killed.said, 'held')
  await killed.kill()
  lockDataDir(dataDir).release()
  writeFileSync(join(dataDir, 'signalbox.lock'), 'torn')
  lockDataDir(dataDir).release()
})

test('of six that start at once after a kill exactly one gets the lock', async () => {
  const dataDir = dataDirectory()
  await (await tryToLock(dataDir)).kill()
  const all = await Promise.all(Array.from({ length: 6 }, () => tryToLock(dataDir)))
  assert.equal(all.filter(({ said }) => said === 'held').length, 1)
  assert.equal(all.filter(({ said }) => said.includes('another Signalbox')).length, 5)
})

test('a directory that cannot be locked is refused', () => {
  const dataDir = dataDirectory()
  writeFileSync(join(dataDir, 'data.lock'), 'this is not a lock file of ours, and 100 bytes long'.repeat(3))
  assert.throws(() => lockDataDir(dataDir), /cannot be locked .*file is not a database/)
})
