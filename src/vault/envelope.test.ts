import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from '#kernel/log'
import { MasterKeyMissing, open, rewrap, seal, SealBroken } from './envelope.ts'
import { toMasterKey, type MasterKey } from './master-key.ts'

const bytes = randomBytes(32)
const master = toMasterKey(new Secret(bytes.toString('base64')))
const other = toMasterKey(new Secret(randomBytes(32).toString('base64')))
const binding = { keyId: randomUUID(), groupId: randomUUID() }
const value = 'sk-test-0123456789'
const find = (id: string): MasterKey | undefined => [master, other].find((key) => key.id === id)

test('what is sealed opens again, and the text names its format and its master key', () => {
  const text = seal(master, binding, new Secret(value))
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  assert.equal(master.id, id)
  assert.ok(text.startsWith(`v1.${id}.`))
  assert.equal(open(find, binding, text).reveal(), value)
})

test('the same key sealed twice looks different in every part: data keys and nonces are fresh', () => {
  const [one, two] = [seal(master, binding, new Secret(value)), seal(master, binding, new Secret(value))]
  const parts = one.split('.').slice(2)
  assert.ok(parts.every((part) => !two.includes(part)))
  // The data key of one does not open the other.
  const mixed = [...one.split('.').slice(0, 3), two.split('.')[3]].join('.')
  assert.throws(() => open(find, binding, mixed), SealBroken)
})

test('a sealed text opens for no other row and no other group', () => {
  const text = seal(master, binding, new Secret(value))
  assert.throws(() => open(find, { ...binding, keyId: randomUUID() }, text), SealBroken)
  assert.throws(() => open(find, { ...binding, groupId: randomUUID() }, text), SealBroken)
  // The layers are bound one by one: a data key of this row does not open the secret of another.
  const elsewhere = seal(master, { ...binding, keyId: randomUUID() }, new Secret(value)).split('.')
  const mixed = [...text.split('.').slice(0, 3), elsewhere[3]].join('.')
  assert.throws(() => open(find, binding, mixed), SealBroken)
})

test('any changed sign is noticed', () => {
  const text = seal(master, binding, new Secret(value))
  for (let at = 0; at < text.length; at++) {
    const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    // The last sign of a base64 part may carry unused bits.
    const isSame = decoded(changed) === decoded(text)
    if (isSame) continue
    assert.throws(
      () => open(find, binding, changed),
      (error) => error instanceof SealBroken || error instanceof MasterKeyMissing,
      `at ${at}`,
    )
  }
})

function decoded(text: string): string {
  const [version, id, ...parts] = text.split('.')
  return [version, id, ...parts.map((part) => Buffer.from(part, 'base64url').toString('hex'))].join('.')
}

test('cut, empty and foreign texts are refused', () => {
  const text = seal(master, binding, new Secret(value))
  const foreign = [
    '',
    'v1',
    value,
    text.slice(0, -30),
    text.replace('v1', 'v2'),
    `${text}.x`,
    `v1.${master.id}.AA.AA`,
  ]
  for (const bad of foreign) assert.throws(() => open(find, binding, bad), SealBroken, bad)
})

test('the wrong master key is named, and never opens', () => {
  const text = seal(master, binding, new Secret(value))
  assert.throws(
    () => open(() => undefined, binding, text),
    (error) => error instanceof MasterKeyMissing && error.masterKeyId === master.id,
  )
  assert.throws(() => open(() => other, binding, text), SealBroken)
  assert.throws(() => open(find, binding, text.replace(master.id, other.id)), SealBroken)
})

test('a text of another row or group cannot be rewrapped', () => {
  const text = seal(master, binding, new Secret(value))
  assert.throws(() => rewrap(find, other, { ...binding, keyId: randomUUID() }, text), SealBroken)
  assert.throws(() => rewrap(find, other, { ...binding, groupId: randomUUID() }, text), SealBroken)
})

test('rewrapping changes the master key and leaves the ciphertext unchanged', () => {
  const before = seal(master, binding, new Secret(value))
  const after = rewrap(find, other, binding, before)
  assert.equal(after.split('.')[1], other.id)
  assert.equal(after.split('.')[3], before.split('.')[3])
  assert.equal(open((id) => (id === other.id ? other : undefined), binding, after).reveal(), value)
})

test('neither a master key nor an opened key can be printed by accident', () => {
  const opened = open(find, binding, seal(master, binding, new Secret(value)))
  for (const shown of [inspect({ master, opened }), JSON.stringify({ master, opened }), String(opened)]) {
    assert.ok(!shown.includes(value))
    assert.ok(!shown.includes(bytes.toString('base64').slice(0, 10)))
    assert.ok(!shown.includes(bytes.toString('hex').slice(0, 10)))
  }
})
