import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createLog } from '#kernel/log'
import { createEstimator } from './estimate.ts'
import { countText } from './token-count.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const brokenWorker = new URL('data:text/javascript,throw new Error("no tables")')
const silentWorker = new URL(
  'data:text/javascript,import("node:worker_threads").then((w) => w.parentPort.on("message", () => {}))',
)

test('text is counted by a real tokenizer, in a thread that can be stopped', async () => {
  const estimator = createEstimator({ log })
  // By hand, in o200k_base: "Hello" "," " world" "!" are four tokens.
  assert.deepEqual(await estimator.count({ prompt: 'Hello, world!', delivered: '' }), {
    prompt: 4,
    completion: 0,
  })
  const words = 'A signal box stands beside the line, and nothing passes it unseen. '.repeat(200)
  assert.deepEqual(await estimator.count({ prompt: words, delivered: 'Hello, world!' }), {
    prompt: countTokens(words),
    completion: 4,
  })
  await estimator.stop()
})

test('words that steer a model are counted as text and break nothing', async () => {
  const estimator = createEstimator({ log })
  const counted = await estimator.count({ prompt: 'What is <|endoftext|>?', delivered: '\ud800 half a pair' })
  assert.ok(counted.prompt > 4 && counted.completion > 2)
  await estimator.stop()
})

test('the worker ends when it has nothing to do, and comes back for the next text', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const estimator = createEstimator({ log, idleMs: 60_000 })
  assert.equal((await estimator.count({ prompt: 'Hello, world!', delivered: '' })).prompt, 4)
  t.mock.timers.tick(60_000)
  assert.equal((await estimator.count({ prompt: 'Hello, world!', delivered: '' })).prompt, 4)
  await estimator.stop()
})

test('without the tokenizer there is a rough count: one token for four characters', async () => {
  const text = { prompt: 'x'.repeat(401), delivered: 'four' }
  const rough = { prompt: 101, completion: 1 }
  const broken = createEstimator({ log, worker: brokenWorker })
  assert.deepEqual(await broken.count(text), rough)
  assert.deepEqual(await broken.count(text), rough)
  await broken.stop()
  const silent = createEstimator({ log, worker: silentWorker, timeoutMs: 100 })
  assert.deepEqual(await Promise.all([silent.count(text), silent.count(text)]), [rough, rough])
  await silent.stop()
  const full = createEstimator({ log, maxWaitingCharacters: 10 })
  assert.deepEqual(await full.count(text), rough)
  await full.stop()
})

test('a worker that hangs is given up though new texts keep coming', async () => {
  const silent = createEstimator({ log, worker: silentWorker, timeoutMs: 150 })
  const text = { prompt: 'x'.repeat(8), delivered: '' }
  const first = silent.count(text)
  const more = setInterval(() => void silent.count(text), 20)
  assert.deepEqual(await first, { prompt: 2, completion: 0 })
  clearInterval(more)
  await silent.stop()
})

test('stopping settles what still waits', async () => {
  const estimator = createEstimator({ log, worker: silentWorker })
  const counting = estimator.count({ prompt: 'eight ch', delivered: '' })
  await estimator.stop()
  assert.deepEqual(await counting, { prompt: 2, completion: 0 })
})

test('counting in pieces gives what counting at once gives, for prose exactly and for long runs nearly', () => {
  const prose = 'The 1st train, at 5:45, carried 42 passengers; nobody knew why.\n\n'.repeat(300)
  assert.equal(countText(prose, countTokens), countTokens(prose))
  const run = '漢字仮名交じり文'.repeat(300)
  const whole = countTokens(run)
  assert.ok(Math.abs(countText(run, countTokens) - whole) / whole < 0.01)
})

test('what is longer than any prompt is extrapolated', () => {
  let seen = 0
  const tokens = countText('abcd'.repeat(2_000_000), (piece) => {
    seen += piece.length
    return piece.length / 4
  })
  assert.equal(tokens, 2_000_000)
  assert.equal(seen, 4_000_000)
})
