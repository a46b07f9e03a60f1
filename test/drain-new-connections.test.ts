import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'

const server = await spawnProduct({ DATA_DIR: temporaryFolder(), DRAIN_DELAY_MS: '300' })

/** One request over a connection of its own: its status, or the code of the error. */
function ask(): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(`${server.url}/livez`, { agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })
}

test('a connection that a stopping server lets in is served: none is reset, later ones are refused', async () => {
  const ends = new Map<number | string, number>()
  async function client(): Promise<void> {
    for (;;) {
      const end = await ask()
      ends.set(end, (ends.get(end) ?? 0) + 1)
      if (end === 'ECONNREFUSED') return
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  const stopped = server.end('SIGTERM')
  await clients
  assert.deepEqual(new Set(ends.keys()), new Set([200, 'ECONNREFUSED']))
  assert.equal(await stopped, 0)
})
