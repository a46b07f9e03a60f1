import { once } from 'node:events'
import { WebSocket } from 'ws'
import { waitFor } from './wait.ts'

// Tests read events freely; a wrong guess fails the assertion beside it.
// oxlint-disable-next-line typescript/no-explicit-any
export type SocketEvent = Record<string, any>

/** A client of a WebSocket that keeps every event it got. */
export interface TestSocket {
  socket: WebSocket
  events: SocketEvent[]
  /** The code with which the connection was closed. */
  closed: Promise<number>
  send(message: object): void
  /** Sends a message and returns its events, to the one that ends the response. */
  ask(message: object): Promise<SocketEvent[]>
}

const isLast = ({ type }: SocketEvent): boolean => /^(error|response\.(completed|incomplete))$/.test(type)

export async function openSocket(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<TestSocket> {
  const address = `${url.replace(/^http/, 'ws')}/v1/responses`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}`, ...headers } })
  const events: SocketEvent[] = []
  socket.on('message', (data) => events.push(JSON.parse((data as Buffer).toString()) as SocketEvent))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  const send = (message: object): void => socket.send(JSON.stringify(message))
  return {
    socket,
    events,
    closed,
    send,
    async ask(message) {
      const from = events.length
      send({ type: 'response.create', ...message })
      await waitFor('the end of the response', () => events.slice(from).some(isLast))
      return events.slice(from)
    },
  }
}
