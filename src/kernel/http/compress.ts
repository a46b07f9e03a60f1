import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify'

/** Below it the headers weigh as much as what is saved. */
const smallest = 4_096
const pack = promisify(gzip)

/**
 * Lists that a browser reads travel compressed. Not what programs with a key get: on the path of a model's response a
 * millisecond counts more than its bytes. Not what a form sent back, which may hold a secret beside text of others.
 */
export function compressLists(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.keyOnly === true || ![route.method].flat().includes('GET')) return
    route.onSend = [...[route.onSend ?? []].flat(), compress]
  })
}

const compress: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (typeof payload !== 'string' || payload.length < smallest) return payload
  if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload
  reply.header('content-encoding', 'gzip').removeHeader('content-length')
  return pack(payload, { level: 4 })
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return String(accepted)
    .split(',')
    .some((each) => /^\s*(gzip|\*)\s*(;\s*q=(0\.0*[1-9]\d*|1(\.0*)?)\s*)?$/i.test(each))
}
