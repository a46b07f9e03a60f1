import assert from 'node:assert/strict'
import { failureOf, type Feature } from './feature.ts'

const prompt = 'Hello from the board'
const message = 'the provider says no'

export const failures: readonly Feature[] = [
  {
    name: 'errors',
    about:
      "A provider error becomes the client library's own error, with status and message, non-streaming and streaming",
    async check({ client, model, provider, fake }) {
      for (const send of [client.whole, client.stream]) {
        fake.script(provider, { error: { status: 400, message } })
        const failure = await failureOf(client, send({ model, prompt }))
        assert.equal(failure.status, 400)
        assert.match(failure.message, /the provider says no/)
      }
    },
  },
  {
    name: 'rate limit',
    about: 'A 429 with the time to wait in `retry-after`, non-streaming and streaming',
    async check({ client, model, provider, fake }) {
      for (const send of [client.whole, client.stream]) {
        fake.script(provider, { error: { status: 429, message, retryAfter: 7 } })
        const failure = await failureOf(client, send({ model, prompt }))
        assert.deepEqual([failure.status, failure.retryAfter], [429, '7'])
        assert.match(failure.message, /the provider says no/)
      }
    },
  },
  {
    name: 'abort',
    about: 'A client that aborts cancels the call to the provider: before the response and within a stream',
    async check({ client, model, provider, fake }) {
      const early = new AbortController()
      fake.script(provider, { hang: 'before-headers' })
      const waiting = assert.rejects(client.whole({ model, prompt, signal: early.signal }))
      const [hanging] = await fake.waitForRequests(1)
      early.abort()
      await Promise.all([waiting, hanging?.waitForAbort()])

      const late = new AbortController()
      fake.script(provider, { repeat: { text: 'word ', times: 10_000 }, chunkEveryMs: 5 })
      const streaming = client.stream({ model, prompt, signal: late.signal }, () => late.abort())
      // Some clients throw, others end the stream.
      await streaming.catch(() => undefined)
      await fake.requests.at(-1)?.waitForAbort()
    },
  },
  {
    name: 'timeout',
    about: 'Returns 504 when the provider does not respond in time',
    isConcurrent: true,
    async check({ client, model, provider, fake }) {
      fake.script(provider, { hang: 'before-headers' })
      const failure = await failureOf(client, client.whole({ model, prompt }))
      assert.equal(failure.status, 504)
      assert.match(failure.message, /did not respond in time/)
    },
  },
]
