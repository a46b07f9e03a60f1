import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from '#kernel/errors'

/** Responds where there is no request that Fastify could respond to, and closes the connection. */
export function endWith(socket: Socket, fault: Fault): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(fault.body())
  socket.write(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  socket.destroySoon()
}
