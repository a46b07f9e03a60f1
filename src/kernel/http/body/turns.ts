import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '#kernel/errors'
import { scanJson, startScan } from './json-scan.ts'
import { markScanned } from './read-json.ts'

/** A turn that held the event loop for longer is followed by a pause in which other requests are served. */
const slowTurnMs = 15
const pauseFactor = 3
const scanStep = 1024 * 1024

const waiting = new Set<() => void>()
let isBusy = false

/**
 * Large bodies are parsed one at a time, however many arrive at once: parsing holds the event loop. Resolves when the
 * body was scanned and may be parsed; what was waiting for a client that disconnected is dropped.
 */
export async function waitForTurn(bytes: Uint8Array, socket: Socket): Promise<void> {
  const scan = startScan()
  while (scan.at < bytes.length) {
    if (socket.destroyed) throw disconnected()
    scanJson(bytes, scan, Math.min(bytes.length, scan.at + scanStep))
    await nextTurn()
  }
  markScanned(bytes)
  await new Promise<void>((resolve, reject) => {
    const drop = (): void => {
      waiting.delete(start)
      reject(disconnected())
    }
    const start = (): void => {
      socket.off('close', drop)
      resolve()
    }
    if (socket.destroyed) return drop()
    socket.once('close', drop)
    waiting.add(start)
    if (!isBusy) startNext()
  })
}

function startNext(): void {
  const [start] = waiting
  isBusy = start !== undefined
  if (!start) return
  waiting.delete(start)
  const began = performance.now()
  start()
  void rest(began)
}

async function rest(began: number): Promise<void> {
  // Parsing and what follows it take this turn of the event loop and the next two.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  const tookMs = performance.now() - began
  setTimeout(startNext, tookMs > slowTurnMs ? pauseFactor * tookMs : 0)
}

const disconnected = () => invalid('The client disconnected.')
