import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, LargeJson } from './large-json.ts'

const written = async (value: unknown): Promise<string> => String(await new LargeJson(value, 1).write())

test('what is written in steps is what JSON.stringify writes', async () => {
  for (const unit of ['x', '\n', '"\\', 'é', '日', '😀', '\ud83d', '\ude00', '\u0000']) {
    for (const phase of [0, 1]) {
      const long = 'x'.repeat(phase) + unit.repeat(300_000)
      const value = {
        a: [long, 1, null, { b: long, c: undefined }],
        d: 'short',
        ...(JSON.parse(`{"__proto__":{"e":"f"}}`) as object),
        g: [],
      }
      assert.equal(await written(value), JSON.stringify(value), JSON.stringify(unit))
    }
  }
  assert.equal(await written({ a: 'b' }), '{"a":"b"}')
})

test('only the request for a large body is written in steps', () => {
  assert.deepEqual(contentOf({ a: 1 }, { raw: Buffer.alloc(131_072) }), { body: '{"a":1}' })
  assert.ok(contentOf({ a: 1 }, { raw: Buffer.alloc(131_073) }).largeBody instanceof LargeJson)
})

test('other requests are served while 32 MB are written', async () => {
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await written({ text: '\n'.repeat(16_000_000) })
  clearImmediate(timer)
  assert.ok(turns > 3, `${turns} turns`)
})
