import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '#kernel/config'
import { builtInPrices, type OpenEntry, type Usage } from '#gateway'
// The real readers of the providers' responses: this checks the whole way from a provider's bytes to the cost.
import { builtInProviders } from '../src/gateway/providers/index.ts'
import { requestOf } from '../src/gateway/passthrough/testing.ts'
import { readTranscriptionUsage } from '../src/gateway/apis/transcription/usage.ts'
import type { LedgerRow } from '../src/usage/row.ts'
import { builtInPrice } from '../src/usage/cost/built-in.ts'
import { costLines } from '../src/usage/cost/cost.ts'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { PriceCatalog } from '../src/usage/cost/price-catalog.ts'
import { priceRequest } from '../src/usage/cost/price-request.ts'

const million = 1e6
const november = new Date('2026-11-15T12:00:00Z')

interface Case {
  provider: string
  model: string
  response: object
  at?: Date
  perplexityApi?: 'agent' | 'sonar'
}

/** The response as the provider sends it → the provider's own reader → the row of the ledger. */
function rowFor({ provider: id, model, response, at = november, perplexityApi = 'agent' }: Case): LedgerRow {
  const config = loadConfig({ PERPLEXITY_API: perplexityApi })
  const provider = builtInProviders(config).find((each) => each.provider.id === id)?.provider
  assert.ok(provider)
  const request = requestOf({ model, messages: [{ role: 'user', content: 'Hello' }] })
  const exchange = provider.chat(request)
  const { usage } = exchange.response(Buffer.from(JSON.stringify(response)))
  assert.ok(usage, 'the provider reported its usage')
  return priced(id, model, usage, at, config)
}

function priced(
  provider: string,
  model: string,
  usage: Usage,
  at = november,
  config = loadConfig({}),
): LedgerRow {
  const entry: OpenEntry = {
    requestId: 'req_019a0000000070008000000000000001',
    startedAt: at,
    groupId: '019a0000-0000-7000-8000-000000000002',
    apiKeyId: null,
    provider,
    providerKeyId: null,
    model,
    endpoint: '/v1/chat/completions',
    isStream: false,
    userLabel: null,
    sessionKey: null,
    subagentKey: null,
    metadata: null,
  }
  const outcome = {
    endedAt: at,
    statusCode: 200,
    errorMessage: null,
    ttftMs: null,
    usage,
    upstreamRequestId: null,
    estimateFrom: null,
  }
  const prices: Pick<PriceCatalog, 'priceFor'> = {
    priceFor(_group, by, name, time) {
      const found = by === null ? null : builtInPrice(builtInPrices(config), by, name, time)
      return found && { row: found, isStored: false }
    },
  }
  const row = priceRequest({ entry, outcome }, prices)
  assertLinesAddUp(row)
  return row
}

function assertLinesAddUp(row: LedgerRow): void {
  for (const side of ['input', 'output'] as const) {
    const lines = (costLines(row, row.new_prices[0] ?? null) ?? [])
      .filter((line) => line.side === side)
      .map((line) => decimal(line.cost))
    assert.equal(
      writeDecimal(lines.reduce(add, { digits: 0n, places: 0 })),
      row[`${side}_cost`] ?? '0',
      `the lines of the ${side}`,
    )
  }
}

/** What is written out beside each vector, rounded to the twelfth place: far below a cent, far above a float's noise. */
function assertCost(row: LedgerRow, input: number, output: number): void {
  assert.deepEqual(
    [Number(row.input_cost).toFixed(12), Number(row.output_cost).toFixed(12)],
    [input.toFixed(12), output.toFixed(12)],
  )
}

const claude = (model: string, usage: object) => ({
  provider: 'anthropic',
  model,
  response: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage,
  },
})

const chat = (provider: string, model: string, usage: object): Case => ({
  provider,
  model,
  response: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage,
  },
})

const gemini = (model: string, usageMetadata: object, at = november): Case => ({
  provider: 'gemini',
  model,
  at,
  response: {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    usageMetadata,
    modelVersion: model,
  },
})

test('Anthropic: cache reads, cache writes of both lifetimes, thinking and web searches', () => {
  const row = rowFor(
    claude('claude-opus-5-5', {
      input_tokens: 1_200,
      cache_read_input_tokens: 40_000,
      cache_creation_input_tokens: 7_000,
      cache_creation: { ephemeral_5m_input_tokens: 5_000, ephemeral_1h_input_tokens: 2_000 },
      output_tokens: 900,
      output_tokens_details: { thinking_tokens: 600 },
      server_tool_use: { web_search_requests: 3 },
    }),
  )
  // Opus 5.5: 4 in, 0.20 cache read, 5 written for minutes, 8 written for an hour, 20 out; a search is a cent.
  const input = (1_200 * 4 + 40_000 * 0.2 + 5_000 * 5 + 2_000 * 8) / million + 3 * 0.01
  // Thinking is part of the 900.
  const output = (900 * 20) / million
  assertCost(row, input, output)
  assert.equal(row.input_cost, '0.0838')
  assert.equal(row.output_cost, '0.018')
  assert.equal(row.prompt_tokens, 1_200 + 40_000 + 7_000)
  assert.deepEqual(
    [row.cached_tokens, row.cache_write_tokens, row.cache_write_long_tokens, row.reasoning_tokens],
    [40_000, 7_000, 2_000, 600],
  )
})

test('Anthropic: the long-context price of an older model holds for the whole request, and ended on a day', () => {
  const usage = { input_tokens: 150_000, cache_read_input_tokens: 50_001, output_tokens: 1_000 }
  const before = rowFor({
    ...claude('claude-sonnet-4-6', usage),
    at: new Date('2026-03-12T23:59:59.999Z'),
  })
  // 200,001 tokens of input are more than 200,000: 6 in, 0.60 cache read, 22.50 out for all of them.
  assertCost(before, (150_000 * 6 + 50_001 * 0.6) / million, (1_000 * 22.5) / million)
  assert.equal(before.input_cost, '0.9300006')

  const after = rowFor({ ...claude('claude-sonnet-4-6', usage), at: new Date('2026-03-13T00:00:00Z') })
  assertCost(after, (150_000 * 3 + 50_001 * 0.3) / million, (1_000 * 15) / million)
  assert.notEqual(before.price_id, after.price_id)

  const exactly = { input_tokens: 150_000, cache_read_input_tokens: 50_000, output_tokens: 0 }
  const atLimit = rowFor({ ...claude('claude-sonnet-4-6', exactly), at: new Date('2026-01-01T00:00:00Z') })
  assertCost(atLimit, (150_000 * 3 + 50_000 * 0.3) / million, 0)
})

test('OpenAI: cached and cache-written tokens are part of the prompt, reasoning of the completion', () => {
  const row = rowFor(
    chat('openai', 'gpt-6-sol', {
      prompt_tokens: 10_000,
      completion_tokens: 2_000,
      total_tokens: 12_000,
      prompt_tokens_details: { cached_tokens: 6_000, cache_write_tokens: 1_000 },
      completion_tokens_details: { reasoning_tokens: 1_500 },
    }),
  )
  // 2 in, 0.20 cache read, 2.50 cache write, 10 out.
  assertCost(row, (3_000 * 2 + 6_000 * 0.2 + 1_000 * 2.5) / million, (2_000 * 10) / million)
  assert.equal(row.input_cost, '0.0097')
  assert.equal(row.output_cost, '0.02')
})

test('OpenAI: above 272,000 tokens of input every token costs the long-context price', () => {
  const long = (tokens: number) =>
    rowFor(
      chat('openai', 'gpt-6-sol', {
        prompt_tokens: tokens,
        completion_tokens: 100,
        total_tokens: tokens + 100,
        prompt_tokens_details: { cached_tokens: 72_000 },
      }),
    )
  assertCost(long(272_000), (200_000 * 2 + 72_000 * 0.2) / million, (100 * 10) / million)
  assertCost(long(272_001), (200_001 * 4 + 72_000 * 0.4) / million, (100 * 15) / million)
})

test('OpenAI: audio has prices of its own where the model has them', () => {
  const row = rowFor(
    chat('openai', 'gpt-audio', {
      prompt_tokens: 1_000,
      completion_tokens: 500,
      total_tokens: 1_500,
      prompt_tokens_details: { audio_tokens: 600 },
      completion_tokens_details: { audio_tokens: 400 },
    }),
  )
  // Text: 2.50 in, 10 out. Audio: 32 in, 64 out.
  assertCost(row, (400 * 2.5 + 600 * 32) / million, (100 * 10 + 400 * 64) / million)
})

test('OpenAI: a transcription is priced by the second', () => {
  const response = { text: 'Hello', usage: { type: 'duration', seconds: 61.5 } }
  const usage = readTranscriptionUsage(response, Buffer.from(JSON.stringify(response)))
  assert.ok(usage)
  const row = priced('openai', 'whisper-1', usage)
  // 0.36 an hour is 0.0001 a second.
  assert.equal(row.input_cost, '0.00615')
  assert.equal(row.output_cost, '0')
})

test('Gemini: thoughts are output though the candidates leave them out; the cached part is in the prompt', () => {
  const usage = {
    promptTokenCount: 5_000,
    cachedContentTokenCount: 3_000,
    candidatesTokenCount: 200,
    thoughtsTokenCount: 700,
    totalTokenCount: 5_900,
  }
  // Until the end of 2026: 0.75 in, 0.075 cached, 3.75 out.
  const row = rowFor(gemini('gemini-3.8-flash', usage))
  assertCost(row, (2_000 * 0.75 + 3_000 * 0.075) / million, (900 * 3.75) / million)
  assert.equal(row.completion_tokens, 900)
  assert.equal(row.input_cost, '0.001725')
  assert.equal(row.output_cost, '0.003375')
  // From 2027 twice that.
  const later = rowFor(gemini('gemini-3.8-flash', usage, new Date('2027-01-01T00:00:00Z')))
  assertCost(later, (2_000 * 1.5 + 3_000 * 0.15) / million, (900 * 7.5) / million)
})

test('Gemini: audio in the prompt and the long-context tier', () => {
  const spoken = rowFor(
    gemini('gemini-2.5-flash', {
      promptTokenCount: 2_000,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 500 },
        { modality: 'AUDIO', tokenCount: 1_500 },
      ],
      candidatesTokenCount: 100,
      totalTokenCount: 2_100,
    }),
  )
  // 0.30 for text, 1.00 for audio, 2.50 out.
  assertCost(spoken, (500 * 0.3 + 1_500 * 1) / million, (100 * 2.5) / million)

  const long = rowFor(
    gemini('gemini-2.5-pro', {
      promptTokenCount: 250_000,
      cachedContentTokenCount: 100_000,
      candidatesTokenCount: 1_000,
      totalTokenCount: 251_000,
    }),
  )
  // Above 200,000: 2.50 in, 0.25 cached, 15 out.
  assertCost(long, (150_000 * 2.5 + 100_000 * 0.25) / million, (1_000 * 15) / million)
})

test('Perplexity, old API: tokens, the fee of the request, and the stated cost beside ours', () => {
  const priced = chat('perplexity', 'sonar-pro', {
    prompt_tokens: 1_000,
    completion_tokens: 400,
    total_tokens: 1_400,
    num_search_queries: 2,
    search_context_size: 'high',
    cost: { input_tokens_cost: 0.003, output_tokens_cost: 0.006, request_cost: 0.014, total_cost: 0.023 },
  })
  const row = rowFor({ ...priced, perplexityApi: 'sonar' })
  // 3 in, 15 out, and 14 for a thousand requests with a large context.
  assertCost(row, (1_000 * 3) / million + 0.014, (400 * 15) / million)
  assert.equal(row.stated_cost, '0.023')
})

test('Perplexity, deep research: reasoning, citations and searches are billed apart', () => {
  const priced = chat('perplexity', 'sonar-deep-research', {
    prompt_tokens: 33,
    completion_tokens: 7_163,
    total_tokens: 7_196,
    citation_tokens: 19_028,
    num_search_queries: 21,
    reasoning_tokens: 73_805,
    cost: { total_cost: 0.418841 },
  })
  const row = rowFor({ ...priced, perplexityApi: 'sonar' })
  // 2 in, 8 out, 3 for reasoning, which the completion leaves out here; 2 for citations, 5 for a thousand searches.
  assertCost(row, (33 * 2 + 19_028 * 2) / million + 21 * 0.005, (7_163 * 8 + 73_805 * 3) / million)
  assert.equal(row.completion_tokens, 7_163 + 73_805)
})

test('Perplexity, Agent API: one model behind every tier, and each search is billed', () => {
  const row = rowFor({
    provider: 'perplexity',
    model: 'sonar-pro',
    response: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'perplexity/sonar',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: {
        input_tokens: 4_000,
        input_tokens_details: { cache_read_input_tokens: 1_000 },
        output_tokens: 500,
        total_tokens: 4_500,
        tool_calls_details: { search_web: { invocation: 2 } },
        cost: { currency: 'USD', input_cost: 0.00075, output_cost: 0.00125, total_cost: 0.0070625 },
      },
    },
  })
  // 0.25 in, 0.0625 cached, 2.50 out; a search is a quarter of a cent. What it says agrees with ours to the last digit.
  assertCost(row, (3_000 * 0.25 + 1_000 * 0.0625) / million + 2 * 0.0025, (500 * 2.5) / million)
  assert.equal(
    writeDecimal(add(decimal(row.input_cost ?? ''), decimal(row.output_cost ?? ''))),
    row.stated_cost,
  )
})

test('OpenRouter: our cost and the stated cost are both recorded', () => {
  const row = rowFor(
    chat('openrouter', 'openrouter/anthropic/claude-opus-5.5', {
      prompt_tokens: 2_000,
      completion_tokens: 300,
      total_tokens: 2_300,
      prompt_tokens_details: { cached_tokens: 1_500, cache_write_tokens: 100 },
      cost: 0.00841,
    }),
  )
  // 4 in, 0.20 cached, 5 written, 20 out.
  assertCost(row, (400 * 4 + 1_500 * 0.2 + 100 * 5) / million, (300 * 20) / million)
  assert.equal(row.stated_cost, '0.00841')
})

test('a model that nobody has a price for has no cost, which is not the same as none', () => {
  const row = rowFor(chat('openai', 'gpt-that-nobody-knows', { prompt_tokens: 10, completion_tokens: 5 }))
  assert.deepEqual([row.input_cost, row.output_cost, row.price_id, row.new_prices], [null, null, null, []])
  assert.equal(row.prompt_tokens, 10)
})
