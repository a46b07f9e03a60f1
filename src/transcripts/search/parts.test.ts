import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '#kernel/words'
import { bucketOf, messagesOf } from './lists.ts'
import { mergeParts, type StoredPart } from './merge.ts'
import { allTerms, findMessages, termsOf } from './part-query.ts'
import { indexMessages, readEntry, type IndexPart } from './part.ts'

const words = Array.from({ length: 400 }, (_, index) => `w${index.toString(36)}x`)
let state = 7
const next = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return (state >>> 8) % below
}

const key = (number: number): string => number.toString(16).padStart(32, '0')
const message = (number: number) => ({
  key: key(number),
  at: number * 1_000,
  role: number % 3,
  kind: 0,
  tool: number % 5 === 0 ? 'Bash' : null,
  text: Array.from({ length: 20 }, () => words[Math.min(next(400), next(400))]).join(' '),
})

/** The buckets of a part, read from the arrays that the database gets. */
function stored(part: IndexPart, sessions: string[]): StoredPart {
  const [numbers, lists] = [Buffer.from(part.buckets), Buffer.from(part.lists)]
  const buckets = []
  for (let place = 20, list = 20; place < numbers.length; place += 8) {
    const length = lists.readInt32BE(list)
    buckets.push({
      bucket: numbers.readInt32BE(place + 4),
      data: lists.subarray(list + 4, list + 4 + length),
    })
    list += 4 + length
  }
  return { sessions, bits: part.bits, messages: part.messages, entries: part.entries, buckets }
}

function find(part: StoredPart, text: string, tools: string[] = []): string[] {
  const query = termsOf(parseQuery(text) ?? { alternatives: [] }, { roles: [], kinds: [], tools })
  assert.ok(allTerms(query).length > 0)
  const numbers = findMessages(query, part.messages, (term) => {
    const bucket = bucketOf(term, part.bits)
    const data = part.buckets.find((each) => each.bucket === bucket)?.data
    return data === undefined ? [] : messagesOf(data, bucket, part.bits, term)
  })
  return numbers.map((number) => readEntry(part.entries, number).key.toString('hex'))
}

const all = Array.from({ length: 3_000 }, (_, number) => message(number))
const expected = (list: typeof all, has: (found: Set<string>, tool: string | null) => boolean): string[] =>
  list
    .filter(({ text, tool }) => has(new Set(text.split(' ')), tool))
    .map((each) => each.key)
    .toReversed()

function check(part: StoredPart, list: typeof all): void {
  for (let round = 0; round < 50; round++) {
    const [a = '', b = '', c = ''] = [words[next(60)], words[next(400)], words[next(400)]]
    assert.deepEqual(
      find(part, a),
      expected(list, (has) => has.has(a)),
    )
    assert.deepEqual(
      find(part, `${a} ${b} or ${c} -${a}`),
      expected(list, (has) => (has.has(a) && has.has(b)) || (has.has(c) && !has.has(a))),
    )
    assert.deepEqual(
      find(part, a, ['Bash']),
      expected(list, (has, tool) => has.has(a) && tool !== null),
    )
  }
}

test('a part finds exactly the messages that have the words, the newest first', () => {
  const [part, ...others] = indexMessages(all)
  assert.ok(part)
  assert.equal(others.length, 0)
  check(stored(part, ['1']), all)
})

test('merged parts find what the parts found, without the sessions that were dropped', () => {
  const pieces = Array.from({ length: 30 }, (_, index) => ({
    session: String(index % 4),
    messages: all.filter(({ at }) => (at / 1_000) % 30 === index),
  }))
  const parts = pieces.flatMap(({ session, messages }) =>
    indexMessages(messages).map((part) => stored(part, [session])),
  )
  const merged = mergeParts(parts, new Set())
  assert.ok(merged)
  check(stored(merged.part, merged.sessions), all)
  const rest = mergeParts([stored(merged.part, merged.sessions)], new Set(['0', '2']))
  assert.ok(rest)
  assert.deepEqual(rest.sessions, ['1', '3'])
  check(
    stored(rest.part, rest.sessions),
    all.filter(({ at }) => (((at / 1_000) % 30) % 4) % 2 === 1),
  )
  assert.equal(mergeParts(parts, new Set(['0', '1', '2', '3'])), null)
})
