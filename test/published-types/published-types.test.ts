import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import type { FakeProvider } from '#fake-provider'
import type { ChatExchange } from '../../src/gateway/provider.ts'
import { requestOf } from '../../src/gateway/passthrough/testing.ts'
import { complaints } from './compile.ts'
import type { TypedRequest } from './compile.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import type { ChatBody, Dialect } from './dialects/dialect.ts'
import { geminiDialect } from './dialects/gemini.ts'
import { openaiDialect } from './dialects/openai.ts'
import { openrouterDialect } from './dialects/openrouter.ts'
import { perplexityDialect } from './dialects/perplexity.ts'
import { Random } from './random.ts'

/** The same requests each time, unless another seed is asked for. */
const seed = Number(process.env['PUBLISHED_TYPES_SEED'] ?? 1)
const count = Number(process.env['PUBLISHED_TYPES_COUNT'] ?? 150)
const dialects = [anthropicDialect, geminiDialect, openaiDialect, perplexityDialect, openrouterDialect]

interface Sample {
  dialect: Dialect
  exchange: ChatExchange
  isStream: boolean
  origin: string
}

/** Each request twice: answered whole, and streamed. */
function samplesOf(dialect: Dialect): Sample[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => dialect.request(random)).flatMap((body) => {
    const streamed = random.some(50, { stream_options: [{ include_usage: true }, {}] })
    const rest = Object.entries(body).filter(([field]) => !dialect.wholeOnly.includes(field))
    const whole = random.some(20, { stream: [false] })
    return [
      sampleOf(dialect, { ...body, ...whole }),
      sampleOf(dialect, { ...Object.fromEntries(rest), stream: true, ...streamed }),
    ]
  })
}

function sampleOf(dialect: Dialect, body: ChatBody): Sample {
  const origin = `seed: ${seed}\nchat request: ${JSON.stringify(body)}`
  try {
    const exchange = dialect.provider.chat(requestOf(body))
    return { dialect, exchange, isStream: body['stream'] === true, origin }
  } catch (error) {
    throw new Error(`A valid request was refused.\n${origin}`, { cause: error })
  }
}

function typed({ dialect, exchange, origin }: Sample): TypedRequest {
  const wire = dialect.wireOf(exchange.path, exchange.headers ?? {})
  return { wire, body: Buffer.from(exchange.body).toString(), origin }
}

const samples = new Map(dialects.map((dialect) => [dialect.provider.name, samplesOf(dialect)]))

describe('what goes upstream', () => {
  let fake: FakeProvider
  before(async () => {
    fake = await startFakeProvider()
  })
  after(() => fake.close())

  test('fits the types that the providers publish', async () => {
    const requests = [...samples.values()].flat().map(typed)
    for (const wire of dialects.flatMap((dialect) => dialect.wires)) {
      assert.ok(
        requests.some((request) => request.wire === wire),
        `no request was made for ${wire}`,
      )
    }
    const told = await complaints(requests)
    assert.equal(told.length, 0, `${told.length} complaints, the first:\n${told.slice(0, 3).join('\n\n')}`)
  })

  for (const [name, list] of samples) {
    test(`is accepted by a strict ${name}, and its answer can be read`, async () => {
      for (const sample of list) await assertAnswered(sample, fake.baseUrls[sample.dialect.baseUrl])
      fake.reset()
    })
  }

  test('to OpenRouter has no prefix of the gateway, but for the router itself', () => {
    for (const { exchange } of samples.get('OpenRouter') ?? []) {
      const { model } = JSON.parse(Buffer.from(exchange.body).toString()) as { model: string }
      assert.match(model, /^(openrouter\/auto|(?!openrouter\/).+\/.+)$/)
    }
  })
})

async function assertAnswered({ dialect, exchange, isStream, origin }: Sample, base: string): Promise<void> {
  const { headers, query } = dialect.provider.credentials('a-good-key')
  const parameters = new URLSearchParams({ ...exchange.query, ...query }).toString()
  const response = await fetch(`${base}${exchange.path}?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...exchange.headers },
    body: Buffer.from(exchange.body),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const upstream = `upstream: ${Buffer.from(exchange.body).toString()}`
  assert.equal(response.status, 200, `${Buffer.from(bytes).toString()}\n${upstream}\n${origin}`)
  if (!isStream) {
    assert.ok(exchange.response(bytes).body.length > 0, origin)
    return
  }
  const reader = exchange.stream()
  const read = Buffer.concat([reader.push(bytes), reader.end()].map((piece) => Buffer.from(piece)))
  assert.ok(read.toString().endsWith('data: [DONE]\n\n'), origin)
}

describe('the check of types can fail', () => {
  const planted = {
    anthropic: {
      model: 'claude-opus-5',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'hi', nmae: 'x' }],
    },
    anthropicBeta: { model: 'claude-opus-5', max_tokens: 1, messages: [], thinking: { type: 'sometimes' } },
    gemini: { contents: [{ role: 'user', parts: [{ txet: 'hi' }] }] },
    chatCompletions: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }], max_tokens: '12' },
    responses: { model: 'gpt-6-sol', input: [], messages: [] },
    perplexityAgent: { model: 'perplexity/sonar', input: [], stop: ['END'] },
    openrouter: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'hi' }] },
  } as const

  test('a field or a value that does not belong is told, with the request it came from', async () => {
    const requests = Object.entries(planted).map(([wire, body]) => ({
      wire: wire as keyof typeof planted,
      body: JSON.stringify(body),
      origin: `planted for ${wire}`,
    }))
    const told = await complaints(requests)
    for (const { wire, origin } of requests) {
      assert.ok(
        told.some((one) => one.startsWith(`${wire}.ts(`) && one.endsWith(origin)),
        `nothing was said against ${wire}:\n${told.join('\n')}`,
      )
    }
  })
})
