import { gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Fault, faults, invalid, messageOf } from '#kernel/errors'

const unzip = promisify(gunzip)

/** The bytes of a request, without compression. The limit holds for what they unpack to as well. */
export async function unpack(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return body
  if (encoding !== 'gzip')
    throw new Fault(faults.unsupportedMediaType, 'This content encoding is not supported. Send gzip or none.')
  try {
    return await unzip(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Fault(
        faults.requestTooLarge,
        'The unpacked request body is too large. The limit is MAX_BODY_BYTES.',
      )
    throw invalid(`The body is not valid gzip: ${messageOf(error)}.`)
  }
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
