import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'

import type { BodyPart, BodyParts, DeliverySpec } from './reply.ts'
import type { Outgoing } from './provider-api.ts'

/** Long enough for the bytes already written to reach the other side before a reset overtakes them. */
const settleMs = 15

/** A pause that does not keep a finished test process alive. */
async function delay(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false })
}

/** Sends a reply with the faults asked for. Stops quietly when the other side goes away. */
export async function deliver(
  response: ServerResponse,
  outgoing: Outgoing,
  delivery: DeliverySpec & { hang?: 'before-headers' | 'after-headers' },
  streamFault: string,
): Promise<void> {
  if (delivery.headersAfterMs !== undefined) await delay(delivery.headersAfterMs)
  if (response.destroyed) return
  if (delivery.hang === 'before-headers') return
  if (delivery.reset === 'before-headers') return resetConnection(response)

  const whole = isPart(outgoing.body) ? Buffer.from(outgoing.body) : undefined
  response.writeHead(delivery.status ?? outgoing.status, {
    ...outgoing.headers,
    ...(whole !== undefined && keepsLength(delivery) ? { 'content-length': String(whole.length) } : {}),
    ...(delivery.gzip === true ? { 'content-encoding': 'gzip' } : {}),
    ...delivery.headers,
  })
  response.flushHeaders()
  if (delivery.hang === 'after-headers') return
  if (delivery.reset === 'after-headers') {
    await delay(settleMs)
    return resetConnection(response)
  }

  const parts = whole === undefined ? (outgoing.body as BodyParts) : [whole]
  await writeAll(response, shape(parts, delivery, streamFault), delivery)
}

/** A cut, sliced or compressed body is sent chunked: its length is not the one first computed. */
function keepsLength(delivery: DeliverySpec): boolean {
  return (
    delivery.gzip !== true &&
    delivery.slice === undefined &&
    delivery.truncateBytes === undefined &&
    delivery.endAfterChunks === undefined &&
    delivery.streamError === undefined
  )
}

function shape(parts: BodyParts, delivery: DeliverySpec, streamFault: string): BodyParts {
  let shaped = parts
  const { streamError, endAfterChunks, truncateBytes, slice } = delivery
  if (streamError !== undefined) shaped = take(shaped, streamError.afterChunks, streamFault)
  if (endAfterChunks !== undefined) shaped = take(shaped, endAfterChunks)
  if (delivery.gzip === true) {
    shaped = Readable.from(shaped, { objectMode: false }).pipe(createGzip({ flush: constants.Z_SYNC_FLUSH }))
  }
  if (truncateBytes !== undefined) shaped = truncate(shaped, truncateBytes)
  if (slice !== undefined) shaped = resliced(shaped, typeof slice === 'number' ? [slice] : slice)
  return shaped
}

async function writeAll(response: ServerResponse, parts: BodyParts, delivery: DeliverySpec): Promise<void> {
  const { reset, chunkEveryMs } = delivery
  const chunkLimit = typeof reset === 'object' && 'afterChunks' in reset ? reset.afterChunks : Infinity
  const byteLimit = typeof reset === 'object' && 'afterBytes' in reset ? reset.afterBytes : Infinity
  let chunks = 0
  let bytes = 0
  for await (const part of parts) {
    if (chunks >= chunkLimit || bytes >= byteLimit) break
    if (chunkEveryMs !== undefined && chunks > 0) await delay(chunkEveryMs)
    if (response.destroyed) return
    const left = byteLimit - bytes
    const piece = left < Infinity ? Buffer.from(part).subarray(0, left) : part
    const flowing = response.write(piece)
    // Backpressure: a huge reply waits for the reader instead of piling up here.
    if (!flowing && !(await drained(response))) return
    if (delivery.slice !== undefined) await nextTurn()
    chunks += 1
    bytes += piece.length
  }
  if (reset !== undefined) {
    await delay(settleMs)
    return resetConnection(response)
  }
  response.end()
}

async function drained(response: ServerResponse): Promise<boolean> {
  const gone = new AbortController()
  try {
    await Promise.race([
      once(response, 'drain', { signal: gone.signal }),
      once(response, 'close', { signal: gone.signal }),
    ])
  } finally {
    gone.abort()
  }
  return !response.destroyed
}

function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function isPart(body: BodyPart | BodyParts): body is BodyPart {
  return typeof body === 'string' || body instanceof Uint8Array
}

async function* take(parts: BodyParts, count: number, last?: string): BodyParts {
  let taken = 0
  for await (const part of parts) {
    if (taken >= count) break
    taken += 1
    yield part
  }
  if (last !== undefined) yield last
}

async function* truncate(parts: BodyParts, limit: number): BodyParts {
  let left = limit
  for await (const part of parts) {
    const bytes = Buffer.from(part)
    yield bytes.subarray(0, left)
    left -= bytes.length
    if (left <= 0) return
  }
}

async function* resliced(parts: BodyParts, sizes: number[]): BodyParts {
  let held: Buffer = Buffer.alloc(0)
  let turn = 0
  const size = () => Math.max(1, sizes[Math.min(turn, sizes.length - 1)] ?? 1)
  for await (const part of parts) {
    held = Buffer.concat([held, Buffer.from(part)])
    while (held.length >= size()) {
      const end = size()
      yield held.subarray(0, end)
      held = held.subarray(end)
      turn += 1
    }
  }
  if (held.length > 0) yield held
}
