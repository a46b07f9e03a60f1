import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { after, beforeEach, test } from 'node:test'

import { waitFor } from '../harness/wait.ts'
import { providerNames, startFakeProvider } from './index.ts'
import type { ProviderName, Reply } from './index.ts'
import { at, collect, eventsOf, joined, post } from './client.ts'

const fake = await startFakeProvider()
after(() => fake.close())
beforeEach(() => fake.reset())

const question = 'Grüße 🚂 hello'
const messages = [{ role: 'user', content: question }]
const headers = { authorization: 'Bearer good', 'x-api-key': 'good', 'anthropic-version': '2023-06-01' }

/** The same question to each provider, streamed or not. */
function ask(provider: ProviderName, stream = false, signal?: AbortSignal): Promise<Response> {
  const urls = fake.baseUrls
  const method = stream ? 'streamGenerateContent?alt=sse&' : 'generateContent?'
  const questions: Record<ProviderName, [url: string, body: object]> = {
    anthropic: [
      `${urls.ANTHROPIC_BASE_URL}/v1/messages`,
      { model: 'claude-haiku-5-5', max_tokens: 99, messages, stream },
    ],
    openai: [`${urls.OPENAI_BASE_URL}/chat/completions`, { model: 'gpt-6-luna', messages, stream }],
    gemini: [
      `${urls.GEMINI_BASE_URL}/v1beta/models/gemini-3.8-flash:${method}key=good`,
      { contents: [{ role: 'user', parts: [{ text: question }] }] },
    ],
    perplexity: [
      `${urls.PERPLEXITY_BASE_URL}/v1/agent`,
      { model: 'perplexity/sonar', input: question, stream },
    ],
    openrouter: [
      `${urls.OPENROUTER_BASE_URL}/chat/completions`,
      { model: 'openai/gpt-6-sol', messages, stream },
    ],
  }
  return post(...questions[provider], headers, signal)
}

void test('a scripted reply is used once, a standing one until the reset', async () => {
  fake.always('openai', { text: 'standing' })
  fake.script('openai', { text: 'once' })
  fake.script((request) => ({ text: `made for ${request.provider}` }))
  const text = async () => at(await (await ask('openai')).json(), 'choices', 0, 'message', 'content')
  assert.equal(await text(), 'once')
  assert.equal(await text(), 'made for openai')
  assert.equal(await text(), 'standing')
  assert.equal(await text(), 'standing')
  fake.reset()
  assert.equal(await text(), 'Echo: Grüße 🚂 hello')
})

void test('every provider has its own form of every error', async () => {
  for (const provider of providerNames) {
    for (const status of [401, 403, 404, 413, 429, 500, 503, 529]) {
      fake.script(provider, { error: { status, message: 'as scripted', retryAfter: 3 } })
      const response = await ask(provider)
      assert.equal(response.status, status)
      const body: unknown = await response.json()
      assert.equal(at(body, 'error', 'message'), 'as scripted')
      if (provider === 'gemini') assert.match(JSON.stringify(body), /"retryDelay":"3s"/)
      else assert.equal(response.headers.get('retry-after'), '3')
    }
  }
})

void test('a stream reads the same however its bytes are sliced', async () => {
  for (const provider of providerNames) {
    // Identifiers and times differ from answer to answer: compare what is said.
    const said = (raw: string) => raw.match(/"(?:text|content|delta)":"[^"]*"/g)
    const whole = said(await (await ask(provider, true)).text())
    for (const slice of [1, [3, 1, 7]]) {
      fake.script(provider, { slice })
      const response = await ask(provider, true)
      const chunks = response.body === null ? [] : await collect(response.body)
      assert.deepEqual(said(Buffer.concat(chunks).toString()), whole)
      // Cut through the middle of characters, too.
      if (slice === 1) assert.ok(chunks.some((chunk) => Buffer.from(chunk).toString().includes('\uFFFD')))
    }
  }
})

void test('a stream breaks in the middle in every way asked for', async () => {
  for (const provider of providerNames) {
    fake.script(provider, { streamError: { afterChunks: 3, message: 'broke' } })
    const events = await eventsOf(await ask(provider, true))
    assert.match(JSON.stringify(events.at(-1)), /"message":"broke"/)
    fake.script(provider, { endAfterChunks: 3 })
    const cut = await eventsOf(await ask(provider, true))
    assert.ok(cut.length <= 3 && cut.at(-1)?.data !== '[DONE]')
    for (const reset of [{ afterChunks: 2 }, { afterBytes: 50 }, 'after-headers'] as const) {
      fake.script(provider, { reset })
      const response = await ask(provider, true)
      assert.equal(response.status, 200)
      await assert.rejects(response.text(), TypeError)
    }
    fake.script(provider, { reset: 'before-headers' })
    await assert.rejects(ask(provider, true), TypeError)
  }
})

void test('plain replies break too: cut JSON, HTML, a redirect, a reset', async () => {
  fake.script('openai', { truncateBytes: 40 })
  const truncated = await (await ask('openai')).text()
  assert.equal(truncated.length, 40)
  fake.script('openai', {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html>bad gateway</html>',
  })
  const html = await ask('openai')
  assert.deepEqual([html.status, await html.text()], [502, '<html>bad gateway</html>'])
  fake.script('openai', { redirect: 'http://127.0.0.1:1/elsewhere' })
  const redirect = await ask('openai')
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, 'http://127.0.0.1:1/elsewhere'])
  fake.script('openai', { reset: { afterBytes: 20 } })
  await assert.rejects((await ask('openai')).text(), TypeError)
  fake.script('openrouter', { body: { json: { error: { code: 502, message: 'an error with 200' } } } })
  assert.equal((await ask('openrouter')).status, 200)
  fake.script('openai', { frames: ['data: {"raw":1}\n\n', 'data: [DONE]\n\n'] })
  assert.equal(await (await ask('openai', true)).text(), 'data: {"raw":1}\n\ndata: [DONE]\n\n')
})

void test('gzip is understood by the other side, plain and streamed', async () => {
  const replies: [boolean, Reply][] = [
    [false, { gzip: true, text: 'packed' }],
    [true, { gzip: true, text: 'packed', slice: 5 }],
  ]
  for (const [stream, reply] of replies) {
    fake.script('openai', reply)
    const response = await ask('openai', stream)
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.match(await response.text(), /packed/)
  }
})

void test('slow headers, slow chunks and silence', async () => {
  const since = async (reply: Reply) => {
    fake.script('openai', reply)
    const start = performance.now()
    await (await ask('openai', true)).text()
    return performance.now() - start
  }
  assert.ok((await since({ headersAfterMs: 120 })) >= 115)
  assert.ok((await since({ repeat: { text: 'x', times: 10 }, chunkEveryMs: 10 })) >= 100)
  fake.script('openai', { hang: 'before-headers' })
  const before = fake.requests.length
  const first = new AbortController()
  const silent = assert.rejects(ask('openai', true, first.signal))
  await waitFor('the request', () => fake.requests.length > before)
  // A later one has its response before this one has anything.
  await (await ask('openai')).text()
  first.abort()
  await silent
  await fake.requests.at(before)?.waitForAbort()
  fake.script('openai', { hang: 'after-headers' })
  const second = new AbortController()
  const hanging = await ask('openai', true, second.signal)
  assert.equal(hanging.status, 200)
  const endless = assert.rejects(hanging.text())
  await (await ask('openai')).text()
  second.abort()
  await endless
})

void test('a thousand chunks are a thousand chunks', async () => {
  for (const provider of providerNames) {
    fake.script(provider, { repeat: { text: 'ü-token ', times: 1000 } })
    const raw = await (await ask(provider, true)).text()
    const streamed = raw.split(/\r?\n\r?\n/).filter((block) => block.includes('"ü-token "'))
    assert.equal(streamed.length, 1000, provider)
  }
})

void test('a text that is repeated comes before the calls of tools', async () => {
  for (const provider of providerNames) {
    fake.script(provider, { repeat: { text: 'ü-token ', times: 20 }, toolCalls: [{ name: 'look_up' }] })
    const raw = await (await ask(provider, true)).text()
    const streamed = raw.split(/\r?\n\r?\n/)
    const at = streamed.flatMap((block, index) => (block.includes('"ü-token "') ? [index] : []))
    assert.equal(at.length, 20, provider)
    assert.ok(streamed.findIndex((block) => block.includes('look_up')) > Number(at.at(-1)), provider)
  }
})

void test('a huge reply waits for its reader', async () => {
  let produced = 0
  const piece = 'x'.repeat(64 * 1024)
  const endless = function* () {
    for (; produced < 4000; produced += 1) yield piece
  }
  fake.script({ provider: 'openrouter', endpoint: 'models' }, { body: endless() })
  const request = get(`${fake.baseUrls.OPENROUTER_BASE_URL}/models`)
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { destroy(): void }]
  response.pause()
  const unread = fake.requests.at(-1)
  // Without backpressure all pieces would have been written before another reply is complete.
  await (await ask('openai', true)).text()
  assert.ok(produced < 1000, `${produced} pieces produced for a reader that does not read`)
  response.destroy()
  await unread?.waitForAbort()
})

void test('the standalone process prints its address and responds fast', async () => {
  const main = new URL('main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, '--port', '0', '--fast', '--chunks', '20', '--text', 'tok '])
  const ended = once(child, 'exit')
  try {
    const lines = once(createInterface(child.stdout), 'line')
    const [line] = (await Promise.race([lines, ended])) as [string]
    const { baseUrls } = JSON.parse(line) as { baseUrls: typeof fake.baseUrls }
    const url = `${baseUrls.OPENAI_BASE_URL}/chat/completions`
    const events = await eventsOf(await post(url, { model: 'gpt-6-luna', stream: true }))
    assert.equal(joined(events, 'choices', 0, 'delta', 'content'), 'tok '.repeat(20))
    const gemini = `${baseUrls.GEMINI_BASE_URL}/v1beta/models/gemini-3.8-flash`
    const plain = await post(`${gemini}:generateContent?key=x`, {})
    assert.equal(at(await plain.json(), 'candidates', 0, 'content', 'parts', 0, 'text'), 'tok '.repeat(20))
    const streamed = await eventsOf(await post(`${gemini}:streamGenerateContent?alt=sse&key=x`, {}))
    assert.equal(joined(streamed, 'candidates', 0, 'content', 'parts', 0, 'text'), 'tok '.repeat(20))
    const models = await fetch(`${baseUrls.OPENROUTER_BASE_URL}/models`)
    assert.equal(models.status, 200)
  } finally {
    child.kill()
    await ended
  }
})
