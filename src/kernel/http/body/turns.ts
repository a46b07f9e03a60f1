import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '#kernel/errors'
import { scanJson, startScan, type JsonScan } from './json-scan.ts'
import { parseInSteps } from './long-strings.ts'
import { markParsed } from './read-json.ts'

/** A turn that held the event loop for longer is followed by a pause in which other requests are served. */
const slowTurnMs = 15
const pauseFactor = 3
const scanStep = 1024 * 1024

const waiting = new Set<() => void>()
let isBusy = false

/**
 * Large bodies are parsed one at a time, however many arrive at once: parsing holds the event loop. Resolves when
 * `readJson` has the value; what was waiting for a client that disconnected is dropped.
 */
export async function parseInTurn(bytes: Buffer, scan: JsonScan, socket: Socket): Promise<void> {
  await turnOf(socket)
  const began = performance.now()
  const parsing = parseInSteps(bytes, scan)
  const heldMs = performance.now() - began
  try {
    markParsed(bytes, await parsing)
  } finally {
    void rest(heldMs)
  }
}

/** For bytes that were not scanned while they arrived, because they were packed. */
export async function scanInSteps(bytes: Buffer): Promise<JsonScan> {
  const scan = startScan()
  while (scan.at < bytes.length) {
    scanJson(bytes, scan, Math.min(bytes.length, scan.at + scanStep))
    await nextTurn()
  }
  return scan
}

function turnOf(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
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
  start()
}

/** What follows the parsing takes this turn of the event loop and the next two. */
async function rest(heldMs: number): Promise<void> {
  let longestMs = 0
  let began = performance.now() - heldMs
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn()
    const now = performance.now()
    longestMs = Math.max(longestMs, now - began)
    began = now
  }
  setTimeout(startNext, longestMs > slowTurnMs ? pauseFactor * longestMs : 0)
}

export const disconnected = () => invalid('The client disconnected.')
