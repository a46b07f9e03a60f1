import assert from 'node:assert/strict'
import { cutAnywhere, randomNumbers } from './testing.ts'
import type { StreamReader } from '../provider.ts'
import { readUntilFault } from '../passthrough/testing.ts'

interface Breaking {
  reader(): StreamReader
  /** What the upstream sends, event by event. */
  events: readonly string[]
  error: string
  /** Of the fault that the error becomes. */
  message: string
}

/**
 * For tests: an error at any place of a stream, the bytes cut in any way. What the client gets before it is what it
 * gets when every event comes alone, and nothing that comes after the error changes that.
 */
export function breaksAnywhere({ reader, events, error, message }: Breaking): void {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomNumbers(seed)
    const place = random(events.length + 1)
    const before = events.slice(0, place)
    const alone = reader()
    const expected = before.map((event) => Buffer.from(alone.push(Buffer.from(event))).toString())
    const broken = reader()
    const bytes = Buffer.from([...before, error, ...events.slice(place)].join(''))
    const { text, fault } = readUntilFault(broken, cut(bytes, random))
    assert.equal(unnamed(text), unnamed(expected.join('')), `seed ${seed}, after ${place} events`)
    assert.deepEqual([fault.message, broken.delivered], [message, alone.delivered], `seed ${seed}`)
  }
}

/** As one piece, as a few that hold many events each, or as many small ones. */
function cut(bytes: Buffer, random: (below: number) => number): Iterable<Uint8Array> {
  const way = random(3)
  if (way === 0) return [bytes]
  if (way === 1) return cutAnywhere(bytes, random)
  const places = [random(bytes.length), random(bytes.length), bytes.length].toSorted((a, b) => a - b)
  return places.map((place, index) => bytes.subarray(places[index - 1] ?? 0, place))
}

/** Ids and times differ in every response. */
function unnamed(stream: string): string {
  return stream.replaceAll(/[0-9a-f]{32}|"created(?:_at)?":\d+/g, '')
}
