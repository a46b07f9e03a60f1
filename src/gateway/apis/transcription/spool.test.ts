import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Fault } from '#kernel/errors'
import { Spool } from './spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-spool-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function contents(spool: Spool): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of spool.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('what goes in comes out, in memory and through the file', async () => {
  for (const size of [0, 1, 262_144, 262_145, 3_000_000]) {
    const bytes = randomBytes(size)
    const spool = new Spool(folder)
    for (let at = 0; at < size; at += 50_000) await spool.add(bytes.subarray(at, at + 50_000))
    assert.ok((await contents(spool)).equals(bytes), String(size))
    await spool.remove()
  }
})

test('the file has no name while it is used, and only its owner could have read it', async (t) => {
  const inner = join(folder, 'made', 'when-needed')
  const spool = new Spool(inner)
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
  const spool = new Spool(join(file, 'below'))
  await assert.rejects(spool.add(randomBytes(300_000)), (fault: Fault) => {
    assert.equal(fault.status, 503)
    assert.doesNotMatch(fault.message, /a-file/)
    return true
  })
  await spool.remove()
})
