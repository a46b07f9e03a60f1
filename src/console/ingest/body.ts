import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faults, invalid } from '#kernel/errors'
import { unzipBody } from '#kernel/http'

/** The bytes of a request, without compression. The limits hold for what they unpack to as well. */
export async function unpack(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return body
  if (encoding !== 'gzip')
    throw new Fault(faults.unsupportedMediaType, 'This content encoding is not supported. Send gzip or none.')
  return unzipBody(body, reply, maxBytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function toText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

export function mediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function isJson(request: FastifyRequest): boolean {
  const type = mediaType(request)
  return type === '' || type === 'application/json' || type.endsWith('+json')
}
