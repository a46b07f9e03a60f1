import { ByteReader, ByteWriter } from './bytes.ts'
import { termBits } from './terms.ts'

/*
 * The lists of a part: for each term the messages that have it, by their numbers within the part. They are cut into
 * buckets by the first bits of the terms, so that a search reads about a kilobyte of a part for each word.
 *
 * In a bucket each term is: its distance from the term before; then twice the number of its only message plus one, or
 * twice the length of a list of distances between messages.
 */

/** A message and a term in one number, so that they are sorted together. */
export const maxMessages = 8_192
export const pairOf = (term: number, message: number): number => term * maxMessages + message
export const termOfPair = (pair: number): number => Math.floor(pair / maxMessages)
export const messageOfPair = (pair: number): number => pair % maxMessages

const bucketBytes = 1_200
const bytesPerPair = 1.4
const maxBits = 12

export interface Lists {
  /** How many bits of a term choose its bucket. */
  bits: number
  buckets: { bucket: number; data: Buffer }[]
}

export function bucketOf(term: number, bits: number): number {
  return term >>> (termBits - bits)
}

/** The pairs are sorted, and may repeat. */
export function toLists(pairs: Float64Array): Lists {
  const wanted = Math.ceil(Math.log2((pairs.length * bytesPerPair) / bucketBytes + 1))
  const bits = Math.min(Math.max(wanted, 0), maxBits)
  const buckets: Lists['buckets'] = []
  const out = new ByteWriter()
  const list = new ByteWriter()
  let bucket = -1
  let last = 0
  for (let index = 0; index < pairs.length;) {
    const term = termOfPair(pairs[index] ?? 0)
    if (bucketOf(term, bits) !== bucket) {
      if (bucket >= 0) buckets.push({ bucket, data: out.take() })
      bucket = bucketOf(term, bits)
      last = bucket * 2 ** (termBits - bits)
    }
    out.varint(term - last)
    last = term
    index = writeList(pairs, index, term, out, list)
  }
  if (bucket >= 0) buckets.push({ bucket, data: out.take() })
  return { bits, buckets }
}

/** Returns where the next term begins. */
function writeList(
  pairs: Float64Array,
  start: number,
  term: number,
  out: ByteWriter,
  list: ByteWriter,
): number {
  const first = pairs[start] ?? 0
  const end = pairOf(term + 1, 0)
  let last = first
  let index = start + 1
  list.varint(messageOfPair(first))
  for (; index < pairs.length; index++) {
    const pair = pairs[index] ?? end
    if (pair >= end) break
    if (pair > last) list.varint(pair - last)
    last = pair
  }
  if (last === first) out.varint(messageOfPair(first) * 2 + 1)
  else {
    out.varint(list.length * 2)
    out.append(list)
  }
  list.clear()
  return index
}

/** The messages that have a term, in order. */
export function messagesOf(data: Uint8Array, bucket: number, bits: number, sought: number): number[] {
  const reader = new ByteReader(data)
  let term = bucket * 2 ** (termBits - bits)
  while (!reader.isAtEnd) {
    term += reader.varint()
    const head = reader.varint()
    if (term === sought) return readList(reader, head)
    if (term > sought) break
    if (head % 2 === 0) reader.place += head / 2
  }
  return []
}

/** All terms of a bucket with their messages. */
export function eachList(
  data: Uint8Array,
  bucket: number,
  bits: number,
  visit: (term: number, messages: readonly number[]) => void,
): void {
  const reader = new ByteReader(data)
  let term = bucket * 2 ** (termBits - bits)
  while (!reader.isAtEnd) {
    term += reader.varint()
    visit(term, readList(reader, reader.varint()))
  }
}

function readList(reader: ByteReader, head: number): number[] {
  if (head % 2 === 1) return [(head - 1) / 2]
  const end = reader.place + head / 2
  const messages: number[] = []
  let message = 0
  while (reader.place < end) messages.push((message += reader.varint()))
  return messages
}
