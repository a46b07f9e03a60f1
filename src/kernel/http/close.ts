import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeUnusedConnections, connectionsOf } from './connections.ts'
import { stopInQuietMoment } from './quiet-moment.ts'
import type { Http } from './types.ts'

export interface CloseOptions {
  /** How long new requests are still accepted, while `/readyz` already says that the server stops. */
  drainMs?: number
  /** How long running requests may take after that. */
  timeoutMs: number
  /** Ends the requests that are still running then with an error. */
  interrupt?: () => void
}

/**
 * A proxy that is refused a new connection stops using its idle ones too, until it tries again. Shorter than the time
 * after which it does (nginx: `fail_timeout`), or the idle ones are closed just when it sends a request over one.
 */
const lingerMs = 1_000
/** How long the last words of interrupted requests may take to reach their clients. */
const lastWordsMs = 1_000

/** From now on every response asks its client to open the next connection elsewhere. */
function closeAfterResponses(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
}

/**
 * Drains, then accepts no new connections and lets running requests finish. After the timeout those that are left are
 * interrupted, which lets them end with an error; then their connections are cut.
 */
export async function closeHttp(app: Http, options: CloseOptions): Promise<void> {
  const { drainMs = 0, timeoutMs, interrupt = () => undefined } = options
  closeAfterResponses(app.server)
  const closed = app.server.listening ? once(app.server, 'close') : Promise.resolve()
  if (app.server.listening) {
    await sleep(drainMs)
    // Unlike the method of an HTTP server it leaves idle connections open.
    await stopInQuietMoment(app.server, () => void NetServer.prototype.close.call(app.server))
  }
  // A request may be on its way over a connection that looks idle: it would be lost with it.
  await Promise.race([closed, sleep(Math.min(drainMs, lingerMs), undefined, { ref: false })])
  let timeout = setTimeout(() => {
    interrupt()
    // Node itself does not close those that became a WebSocket.
    timeout = setTimeout(() => {
      for (const socket of connectionsOf(app.server)) socket.destroy()
    }, lastWordsMs)
  }, timeoutMs)
  // A connection kept alive after its last response would delay closing until its own timeout.
  const sweep = setInterval(() => closeIdle(app.server), 50)
  closeIdle(app.server)
  await app.close()
  await closed
  clearTimeout(timeout)
  clearInterval(sweep)
}

function closeIdle(server: Server): void {
  server.closeIdleConnections()
  closeUnusedConnections(server)
}
