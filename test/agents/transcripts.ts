import assert from 'node:assert/strict'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { Product } from '#test/product'
import { runCommand } from '#test/process'
import type { TranscriptDetail, TranscriptMessage } from '#transcripts/contract'
import { get, sessions, show } from '../transcripts/archive.ts'

export interface Imported {
  sessions: TranscriptDetail[]
  messages: TranscriptMessage[]
}

/** What the archive has of an assistant's home after `signalbox watch --once`, as a user would run it. */
export async function importHome(server: Product, home: string, machine: string): Promise<Imported> {
  const { code, stderr } = await runCommand(
    ['watch', '--to', server.url, '--machine', machine, '--once', home],
    { SIGNALBOX_API_KEY: server.key },
  )
  assert.equal(code, 0, stderr)
  const query = `?include=subagents&machine=${machine}`
  const found = await Promise.all((await sessions(server, query)).map(({ id }) => show(server, id)))
  return {
    sessions: found.map(({ session }) => session),
    messages: found.flatMap(({ messages }) => messages),
  }
}

/** The scene as it was played: the question of a person, a tool's call with its result, and the conclusion. */
export function checkScene(
  { sessions: found, messages }: Imported,
  question: string,
  conclusion: string,
): void {
  const shown = JSON.stringify(messages, null, 1)
  const human = messages.filter(({ origin }) => origin === 'human').map(({ content }) => content)
  assert.deepEqual(human, [question], shown)
  const conclusions = messages.filter(({ kind, content }) => kind === 'text' && content === conclusion)
  assert.equal(conclusions.length, 1, shown)
  const calls = messages.filter(({ kind }) => kind === 'tool_call')
  assert.ok(calls.length > 0, shown)
  for (const { call_id } of calls)
    assert.ok(
      messages.some((each) => each.kind === 'tool_result' && each.call_id === call_id),
      shown,
    )
  for (const { unknown_records } of found) assert.equal(unknown_records, 0, 'every record is known')
}

export interface Row {
  session_key: string | null
  prompt_tokens: number
  completion_tokens: number
  total_cost: string | null
}

/** The rows of the usage log that are newer than a request. */
export async function rowsAfter(server: Product, newest: string | null): Promise<(Row & { id: string })[]> {
  const { data } = await get(server, '/api/v1/logs?limit=50')
  const place = data.findIndex(({ id }: { id: string }) => id === newest)
  return place === -1 ? data : data.slice(0, place)
}

/** The tokens of the transcript are tokens that the gateway metered; only titles and such are not in it. */
export function checkTokens({ sessions: found }: Imported, rows: readonly Row[]): void {
  const main = found.filter(({ parent_id }) => parent_id === null)
  const sum = (of: (each: TranscriptDetail) => number) => main.reduce((total, each) => total + of(each), 0)
  const [input, output] = [sum((each) => each.input_tokens), sum((each) => each.output_tokens)]
  assert.ok(input > 0 && output > 0)
  assert.ok(
    someSum(
      rows.map((row) => [row.prompt_tokens, row.completion_tokens]),
      [input, output],
    ),
    `${input}/${output} is a sum of ${JSON.stringify(rows)}`,
  )
}

/** Whether some of the pairs add up to the wanted one. */
function someSum(pairs: readonly [number, number][], [input, output]: [number, number]): boolean {
  if (input === 0 && output === 0) return true
  const [first, ...rest] = pairs
  if (first === undefined || input < 0 || output < 0) return false
  return someSum(rest, [input - first[0], output - first[1]]) || someSum(rest, [input, output])
}

/** Every request carried the key of the session, whose cost is the sum of their costs. */
export async function checkCost(
  server: Product,
  { sessions: found }: Imported,
  rows: readonly Row[],
): Promise<void> {
  const [main, ...others] = found.filter(({ parent_id }) => parent_id === null)
  assert.ok(main && others.length === 0, 'one session')
  assert.deepEqual([...new Set(rows.map(({ session_key }) => session_key))], [main.external_id])
  const cost = writeDecimal(rows.map(({ total_cost }) => decimal(total_cost ?? '0')).reduce(add))
  assert.notEqual(cost, '0')
  assert.equal(main.cost, cost)
  assert.equal(
    main.costs.reduce((sum, { requests }) => sum + requests, 0),
    rows.length,
  )
  const { total_cost } = await get(server, `/api/v1/logs/summary?session=${main.external_id}`)
  assert.equal(total_cost, cost)
}
