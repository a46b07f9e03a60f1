import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Fault } from '#kernel/errors'
import { Spool } from './spool.ts'
import { SpoolQuota } from './spool-quota.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-spool-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function newSpool(path: string, quota = new SpoolQuota({ folder, maxBytes: 1e9 }), groupId = 'a'): Spool {
  return new Spool(path, quota, groupId)
}

async function contents(spool: Spool): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of spool.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('what goes in comes out, in memory and through the file', async () => {
  for (const size of [0, 1, 262_144, 262_145, 3_000_000]) {
    const bytes = randomBytes(size)
    const spool = newSpool(folder)
    for (let at = 0; at < size; at += 50_000) await spool.add(bytes.subarray(at, at + 50_000))
    assert.ok((await contents(spool)).equals(bytes), String(size))
    await spool.remove()
  }
})

test('the file has no name while it is used, and only its owner could have read it', async (t) => {
  const inner = join(folder, 'made', 'when-needed')
  const spool = newSpool(inner)
  await spool.add(randomBytes(300_000))
  assert.deepEqual(readdirSync(inner), [])
  if (process.platform === 'linux') {
    const own = readdirSync('/proc/self/fd').filter((descriptor) => pathOf(descriptor).startsWith(inner))
    assert.equal(own.length, 1)
    assert.equal(fstatSync(Number(own[0])).mode & 0o777, 0o600)
  } else t.diagnostic('the mode is checked on Linux only')
  await spool.remove()
  await spool.remove()
})

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

test('a folder that cannot be written to is our fault, without inner detail', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const spool = newSpool(join(file, 'below'))
  await assert.rejects(spool.add(randomBytes(300_000)), (fault: Fault) => {
    assert.equal(fault.status, 503)
    assert.doesNotMatch(fault.message, /a-file/)
    return true
  })
  await spool.remove()
})

const isFault = (status: number) => (fault: Fault) => {
  assert.equal(fault.status, status)
  assert.equal(fault.headers['retry-after'], '5')
  assert.match(fault.message, /Send "model" before "file"/)
  return true
}

test('uploads of one group get half of the space, all together the whole, and give it back', async () => {
  const quota = new SpoolQuota({ folder, maxBytes: 2_000_000 })
  const [first, second, third, fourth] = ['a', 'a', 'b', 'c'].map((group) => newSpool(folder, quota, group))
  assert.ok(first && second && third && fourth)
  await first.add(randomBytes(900_000))
  await assert.rejects(second.add(randomBytes(300_000)), isFault(429))
  await third.add(randomBytes(900_000))
  await assert.rejects(fourth.add(randomBytes(300_000)), isFault(503))
  await first.remove()
  await fourth.add(randomBytes(300_000))
  await second.remove()
  const again = newSpool(folder, quota, 'a')
  await again.add(randomBytes(400_000))
  for (const spool of [first, second, third, fourth, again]) await spool.remove()
  await newSpool(folder, quota, 'b').add(randomBytes(999_000))
})

test('an upload leaves space on the disk for the usage journal', async () => {
  let free = 600e6
  const measured: string[] = []
  const statfs = async (path: string) => {
    measured.push(path)
    return { bavail: free / 4096, bsize: 4096 }
  }
  const quota = new SpoolQuota({ folder, maxBytes: 1e9, statfs })
  const spool = newSpool(folder, quota)
  await spool.add(randomBytes(300_000))
  free = 500e6
  for (let n = 0; n < 27; n++) await spool.add(Buffer.alloc(600_000))
  await assert.rejects(spool.add(Buffer.alloc(600_000)), isFault(503))
  await assert.rejects(newSpool(folder, quota).add(Buffer.alloc(300_000)), isFault(503))
  free = 600e6
  await newSpool(folder, quota).add(Buffer.alloc(300_000))
  assert.deepEqual(measured, [folder, folder, folder, folder])
  await spool.remove()
})
