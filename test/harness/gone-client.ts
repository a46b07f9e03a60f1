import { once } from 'node:events'
import { connect } from 'node:net'
import { lockTable } from './database.ts'
import type { Product } from './product.ts'
import { waitFor } from './wait.ts'

/**
 * Sends the beginning of a request with a key that the server has not seen, and is gone before the server has read what
 * the key may do; returns when the server continues with the request.
 */
export async function disconnectEarly(
  server: Product,
  firstLine: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const { json } = await server.call('/api/v1/keys', {
    json: { name: 'gone', scopes: ['gateway', 'read', 'events'] },
  })
  const keys = await lockTable('access.api_keys', server)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const fields = { host: '127.0.0.1', authorization: `Bearer ${json.key as string}`, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.write([`${firstLine} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  await waitFor('the key to be read', () => keys.waiting())
  socket.resetAndDestroy()
  // Another request after it: by then the server knows.
  await server.call('/livez')
  await keys.release()
  await server.call('/v1/models', { key: json.key as string })
}
