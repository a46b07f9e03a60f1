import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { invalid, messageOf, Fault } from '#kernel/errors'
import { CountedBody } from './budget.ts'

const pieceBytes = 64 * 1024

/**
 * What a packed body holds. It takes memory as if it had arrived like this: a few kilobytes may unpack to all that a body
 * may have.
 */
export async function unzipBody(packed: Buffer, reply: FastifyReply, limit: number): Promise<Buffer> {
  const counted = new CountedBody(reply.server.bodyBudget.reserveFor(reply.raw), limit)
  const pieces: Buffer[] = []
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  gunzip.end(packed)
  try {
    await pipeline(gunzip, counted, async (unpacked: AsyncIterable<Buffer>) => {
      for await (const piece of unpacked) pieces.push(piece)
    })
  } catch (error) {
    throw error instanceof Fault ? error : invalid(`The body is not valid gzip: ${messageOf(error)}.`)
  }
  return Buffer.concat(pieces)
}
