import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { createErrorSearchKind } from './search-kind.ts'
import { send } from './testing.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const oldest = Date.now() - 20 * 86_400_000
const kind = createErrorSearchKind(database.pool, () => oldest)

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
const error = (title: string, minutes: number, more: object = {}): object => ({
  type: 'error',
  severity: 'error',
  title,
  created_at: ago(minutes),
  ...more,
})

await send(
  product,
  error('Payment failed', 30, { message: 'card 4929123456789 declined', service: 'shop' }),
  error('Payment failed', 20, { message: 'card 5555444433332222 declined', service: 'shop' }),
  error('Disk full', 10, { severity: 'critical', message: 'no space left' }),
  error('Just now', 0),
  error('Only a warning', 15, { severity: 'warning' }),
)

test('errors older than a minute are handed over, the same one once, with its latest event', async () => {
  const { documents, cursor, more } = await kind.changed(null, 10)
  assert.deepEqual(
    documents.map(({ title, text }) => [title, text]),
    [
      ['Payment failed', 'shop\ncard … declined'],
      ['Disk full', 'api\nno space left'],
    ],
  )
  assert.equal(more, false)
  assert.ok((documents[0]?.at.getTime() ?? 0) > Date.now() - 21 * 60_000, 'the later of the two')
  assert.equal(documents[0]?.groupId, product.first.groupId)
  assert.match(documents[0]?.url ?? '', /^\/console\?event=[0-9a-f-]{36}&around=/)
  assert.deepEqual((await kind.changed(cursor, 10)).documents, [])
})

test('a long list comes in portions, and what is older than the console keeps is missing', async () => {
  const most = 10
  await send(
    product,
    ...Array.from({ length: 25 }, (_, n) => error(`Case ${'abcdefghijklmnopqrstuvwxyz'[n]}`, 60)),
  )
  const first = await kind.changed(null, 1)
  assert.deepEqual([first.documents.length, first.more], [most, true])
  const asked = [
    { id: 'old', at: new Date(oldest - 1) },
    { id: 'new', at: new Date() },
  ]
  assert.deepEqual(await kind.missing(asked), ['old'])
})
