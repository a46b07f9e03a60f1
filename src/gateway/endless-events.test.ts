import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '#kernel/config'
import { exampleModels } from '#test/gateway'
import { exchangeOf, faultOf } from './chat/testing.ts'
import { builtInProviders, openAiCompatible, type Provider } from './providers/index.ts'

const custom = openAiCompatible({ id: 'house', name: 'House', prefixes: ['house/'], docsUrl: '' })
const providers: [Provider, string][] = [
  ...builtInProviders(loadConfig({})).map(({ provider }): [Provider, string] => [
    provider,
    exampleModels[provider.id as keyof typeof exampleModels],
  ]),
  [custom, 'house/model'],
]

/** Pieces of a stream in which no event ever ends. */
const endless = {
  'one line': Buffer.alloc(4_096, 'a'),
  'lines of data': Buffer.from(`data: ${'a'.repeat(1_000)}\n`),
  'short lines with carriage returns': Buffer.from(`data: ${'a'.repeat(200)}\r\n`),
}
const limit = 32 * 1024 * 1024

for (const [provider, model] of providers) {
  for (const [name, piece] of Object.entries(endless)) {
    // With a cost that grows with the square of the length, this would take minutes.
    test(
      `${provider.id}: ${name} without an end is refused at 32 MiB, at linear cost`,
      { timeout: 30_000 },
      () => {
        const messages = [{ role: 'user', content: 'Hello' }]
        const reader = exchangeOf(provider, { model, messages, stream: true, max_tokens: 9 }).stream()
        let bytes = 0
        const fault = faultOf(() => {
          for (; bytes < limit + 1_024 * 1_024; bytes += piece.length) reader.push(piece)
        })
        assert.deepEqual([fault.status, fault.code], [502, 'provider_error'])
        assert.match(fault.message, /sent an event that does not end/)
        assert.ok(bytes > limit * 0.9, `${bytes} bytes were accepted`)
      },
    )
  }
}

test('an event that ends across two pieces is passed on as soon as it has ended', () => {
  const event = `data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}`
  for (const blank of ['\n\n', '\n\r\n', '\r\n\r\n'])
    for (let cut = 1; cut < blank.length; cut++) {
      const reader = exchangeOf(custom, { model: 'house/model', messages: [], stream: true }).stream()
      assert.equal(reader.push(Buffer.from(event)).length, 0)
      assert.equal(reader.push(Buffer.from(blank.slice(0, cut))).length, 0, JSON.stringify(blank))
      assert.equal(
        String(reader.push(Buffer.from(blank.slice(cut)))),
        event + blank,
        `${blank.length} ${cut}`,
      )
    }
})
