import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { attacks } from './bodies.ts'

export interface AttackJob {
  name: string
  origin: string
  authorization: string
  connections: number
}

/** What each connection got: the status, or that the connection was cut without one. */
export type Outcomes = Record<string, number>

const pieceBytes = 256 * 1024
/** The attackers share the processor with the server: without a pause, sending alone would slow it down. */
const pauseMs = 200

/** Runs in a thread: every connection repeats the same body until it gets the signal to stop. */
async function run({ name, origin, authorization, connections }: AttackJob): Promise<void> {
  const attack = attacks.find((each) => each.name === name)
  if (!attack) throw new Error(`There is no attack "${name}"`)
  const body = Buffer.from(attack.body())
  const { hostname, port, host } = new URL(origin)
  const head =
    `POST ${attack.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n` +
    (attack.hasKey ? `Authorization: ${authorization}\r\n` : '') +
    (attack.isChunked === true
      ? 'Transfer-Encoding: chunked\r\n\r\n'
      : `Content-Length: ${body.length}\r\n\r\n`)
  const outcomes: Outcomes = {}
  const open = new Set<Socket>()
  let isOver = false

  const send = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head)
        write(socket, body, attack.isChunked === true)
      })
      open.add(socket)
      let status = 'cut'
      socket.once('data', (data: Buffer) => {
        status = data.toString('latin1', 9, 12)
        socket.destroy()
      })
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        resolve(status)
      })
    })
  const repeat = async (): Promise<void> => {
    while (!isOver) {
      const status = await send()
      if (isOver) return
      outcomes[status] = (outcomes[status] ?? 0) + 1
      await wait(pauseMs)
    }
  }

  parentPort?.once('message', () => {
    isOver = true
    for (const socket of open) socket.destroy()
  })
  parentPort?.postMessage('ready', [])
  await Promise.all(Array.from({ length: connections }, repeat))
  parentPort?.postMessage(outcomes, [])
}

/** In pieces, so that nothing is copied and a connection that is cut stops at once. */
function write(socket: Socket, body: Buffer, isChunked: boolean): void {
  let at = 0
  const next = (): void => {
    let hasRoom = true
    while (hasRoom && at < body.length && !socket.destroyed) {
      const piece = body.subarray(at, at + pieceBytes)
      at += piece.length
      if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
      hasRoom = socket.write(piece)
      if (isChunked) socket.write(at === body.length ? '\r\n0\r\n\r\n' : '\r\n')
    }
  }
  socket.on('drain', next)
  next()
}

await run(workerData as AttackJob)
