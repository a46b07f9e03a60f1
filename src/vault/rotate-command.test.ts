import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'

const dataDir = temporaryFolder()
const environment = { DATA_DIR: dataDir, PORT: '0' }
const file = join(dataDir, 'master.key')

test('signalbox keys rotate-master changes the key of a running Signalbox, and of one at rest', async () => {
  const server = await spawnProduct(environment)
  const before = readFileSync(file, 'utf8')
  const done = await runCommand(['keys', 'rotate-master', '--json'], environment)
  assert.equal(done.code, 0, done.stderr)
  assert.deepEqual(JSON.parse(done.stdout), { rewrapped: 0 })
  const after = readFileSync(file, 'utf8')
  assert.notEqual(after, before)
  assert.ok(readdirSync(dataDir).some((name) => /^master\.key\.retired-[0-9a-f]{16}$/.test(name)))
  assert.equal((await server.call('/livez')).status, 200)
  assert.equal(await server.end(), 0)

  const atRest = await runCommand(['keys', 'rotate-master'], environment)
  assert.equal(atRest.code, 0, atRest.stderr)
  assert.match(atRest.stdout, /^0 provider keys are encrypted with the new master key\./)
  assert.notEqual(readFileSync(file, 'utf8'), after)
  for (const text of [done.stdout, done.stderr, atRest.stdout, server.output()])
    assert.ok(![before, after].some((key) => text.includes(key.trim())), 'no key is printed')
})

test('with MASTER_KEY in the environment it says what to set, and never shows a wrong value', async () => {
  const former = randomBytes(32).toString('base64')
  const given = { DATA_DIR: temporaryFolder(), PORT: '0', MASTER_KEY: former }
  const refused = await runCommand(['keys', 'rotate-master'], given)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^MASTER_KEY is already the current key\. To change it: .*PREVIOUS_MASTER_KEY/)
  const bad = await runCommand(['keys', 'rotate-master'], { ...given, PREVIOUS_MASTER_KEY: 'c2hvcnQ' })
  assert.match(bad.stderr, /^PREVIOUS_MASTER_KEY: the value is not valid/)
  for (const text of [refused.stdout, refused.stderr, bad.stderr])
    assert.ok(!/c2hvcnQ/.test(text) && !text.includes(former))
})
