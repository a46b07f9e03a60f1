import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Without a new connection for so long, none is expected. */
const quietMs = 10
/** Under constant load the wanted quiet shrinks to a single turn of the event loop within this time. */
const patienceMs = 500
/** A server that is never quiet stops nevertheless. */
const limitMs = 1_000
/** A turn that took longer did other work, and connections may wait that came during it. */
const shortTurnMs = 0.2

/**
 * The system accepts connections before the server knows of them, and resets those that wait when the server stops
 * listening; a proxy does not repeat a POST that it sent over one. So `stop` is called right after a turn of the event
 * loop that found none. Requests wait meanwhile: a client that waits for its response opens no further connection.
 */
export async function stopInQuietMoment(server: Server, stop: () => void): Promise<void> {
  const began = performance.now()
  let lastConnection = began
  const note = (): void => void (lastConnection = performance.now())
  server.on('connection', note)
  const release = holdRequests(server)
  let turnBegan = began
  for (let now = began; now - began < limitMs; turnBegan = now) {
    await nextTurn()
    now = performance.now()
    const wantedMs = quietMs * Math.max(0, 1 - (now - began) / patienceMs)
    const isShort = now - turnBegan < shortTurnMs
    if (isShort && lastConnection < turnBegan && now - lastConnection >= wantedMs) break
  }
  stop()
  server.off('connection', note)
  release()
}

/** Keeps requests back until it is released. */
function holdRequests(server: Server): () => void {
  const listeners = server.listeners('request') as ((...given: unknown[]) => void)[]
  const held: [IncomingMessage, ServerResponse][] = []
  server.removeAllListeners('request')
  server.on('request', (...given) => void held.push(given))
  return () => {
    server.removeAllListeners('request')
    for (const listener of listeners) server.on('request', listener)
    for (const given of held) server.emit('request', ...given)
  }
}
