import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerTokenOf } from '#test/owner'
import { startProduct } from '#test/product'

test('after ten wrong links an address has to wait, but the right one still opens', async () => {
  const server = await startProduct()
  const open = (token: string) => server.call(`/?token=${token}`)
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await open(`wrong-${n}`)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 303), 429, 429])
  const refused = await open('wrong')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-5]$/)
  const right = await open(ownerTokenOf(server.url) ?? '')
  assert.equal(right.status, 303)
  assert.equal(right.headers.getSetCookie().length, 1)
})
