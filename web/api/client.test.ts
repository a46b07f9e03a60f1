import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, call, queryText } from './client.ts'

test('an address has the values of its path and its query, each encoded', async ({ mock }) => {
  const paths: unknown[] = []
  mock.method(globalThis, 'fetch', (path: unknown) => {
    paths.push(path)
    return Promise.resolve(Response.json({}))
  })
  await call('GET', '/api/tickets/{id}', { path: { id: '../a b' } })
  await call('GET', '/api/v1/pricing/{model_id}', { path: { model_id: ['a', 'b:c'] } })
  await call('GET', '/api/tickets')
  assert.deepEqual(paths, ['/api/tickets/..%2Fa%20b', '/api/v1/pricing/a/b%3Ac', '/api/tickets'])
  const query = { model: ['a/b c', 'd'], provider: undefined, group_id: 'x' }
  assert.equal(addressOf('/api/v1/logs', { query }), '/api/v1/logs?model=a%2Fb+c&model=d&group_id=x')
  assert.equal(queryText({}), '')
})

/** Nothing here runs: `npm run types` fails when one of these lines is no error any more. */
export const refused = [
  // @ts-expect-error no such route
  () => call('GET', '/api/ticket'),
  // @ts-expect-error no such method
  () => call('PUT', '/api/tickets/{id}', { path: { id: '1' }, body: {} }),
  // @ts-expect-error a value of the path is missing
  () => call('GET', '/api/tickets/{id}'),
  // @ts-expect-error no such parameter
  () => call('GET', '/api/tickets', { query: { state: 'open' } }),
  // @ts-expect-error no such word
  () => call('PATCH', '/api/tickets/{id}', { path: { id: '1' }, body: { status: 'closed' } }),
  // @ts-expect-error no such field in the response
  async () => (await call('GET', '/api/tickets')).tickets,
]
