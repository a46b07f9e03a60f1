import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import type { FakeProvider } from '#fake-provider'
import type { ChatExchange } from '../../src/gateway/provider.ts'
import { requestOf } from '../../src/gateway/passthrough/testing.ts'
import { typeErrors } from './compile.ts'
import type { TypedRequest } from './compile.ts'
import { anthropicSamples } from './samples/anthropic.ts'
import type { ChatBody, ProviderSamples } from './samples/provider-samples.ts'
import { geminiSamples } from './samples/gemini.ts'
import { openaiSamples } from './samples/openai.ts'
import { openrouterSamples } from './samples/openrouter.ts'
import { perplexitySamples } from './samples/perplexity.ts'
import { Random } from './random.ts'

/** The same requests each time, unless another seed is asked for. */
const seed = Number(process.env['PUBLISHED_TYPES_SEED'] ?? 1)
const count = Number(process.env['PUBLISHED_TYPES_COUNT'] ?? 150)
const providers = [anthropicSamples, geminiSamples, openaiSamples, perplexitySamples, openrouterSamples]

interface Sample {
  samples: ProviderSamples
  exchange: ChatExchange
  isStream: boolean
  origin: string
}

/** Each request twice: with a whole response, and streamed. */
function samplesOf(samples: ProviderSamples): Sample[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => samples.request(random)).flatMap((body) => {
    const streamed = random.some(50, { stream_options: [{ include_usage: true }, {}] })
    const rest = Object.entries(body).filter(([field]) => !samples.wholeOnly.includes(field))
    const whole = random.some(20, { stream: [false] })
    return [
      sampleOf(samples, { ...body, ...whole }),
      sampleOf(samples, { ...Object.fromEntries(rest), stream: true, ...streamed }),
    ]
  })
}

function sampleOf(samples: ProviderSamples, body: ChatBody): Sample {
  const origin = `seed: ${seed}\nchat request: ${JSON.stringify(body)}`
  try {
    const exchange = samples.provider.chat(requestOf(body))
    return { samples, exchange, isStream: body['stream'] === true, origin }
  } catch (error) {
    throw new Error(`A valid request was refused.\n${origin}`, { cause: error })
  }
}

function typed({ samples, exchange, origin }: Sample): TypedRequest {
  const format = samples.formatOf(exchange.path, exchange.headers ?? {})
  return { format, body: Buffer.from(exchange.body).toString(), origin }
}

const samples = new Map(providers.map((each) => [each.provider.name, samplesOf(each)]))

describe('what goes upstream', () => {
  let fake: FakeProvider
  before(async () => {
    fake = await startFakeProvider()
  })
  after(() => fake.close())

  test('fits the types that the providers publish', async () => {
    const requests = [...samples.values()].flat().map(typed)
    for (const format of providers.flatMap((samples) => samples.formats)) {
      assert.ok(
        requests.some((request) => request.format === format),
        `no request was made for ${format}`,
      )
    }
    const errors = await typeErrors(requests)
    assert.equal(
      errors.length,
      0,
      `${errors.length} type errors, the first:\n${errors.slice(0, 3).join('\n\n')}`,
    )
  })

  for (const [name, list] of samples) {
    test(`is accepted by a strict ${name}, and its response can be read`, async () => {
      for (const sample of list) await assertAnswered(sample, fake.baseUrls[sample.samples.baseUrl])
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

async function assertAnswered({ samples, exchange, isStream, origin }: Sample, base: string): Promise<void> {
  const { headers, query } = samples.provider.credentials('a-good-key')
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

  test('a field or a value that does not belong is reported, with the request it came from', async () => {
    const requests = Object.entries(planted).map(([format, body]) => ({
      format: format as keyof typeof planted,
      body: JSON.stringify(body),
      origin: `planted for ${format}`,
    }))
    const errors = await typeErrors(requests)
    for (const { format, origin } of requests) {
      assert.ok(
        errors.some((one) => one.startsWith(`${format}.ts(`) && one.endsWith(origin)),
        `no error was reported for ${format}:\n${errors.join('\n')}`,
      )
    }
  })
})
