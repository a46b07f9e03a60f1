import { LRUCache } from 'lru-cache'

interface Circuit {
  /** Failures without a success in between. */
  inRow: number
  /** Of the current window. */
  calls: number
  failed: number
  /** By performance.now(), because the clock of the machine may be set. */
  windowEnds: number
  /** Open until then; afterwards one call may try. 0: closed. */
  openUntil: number
  timesOpened: number
  isProbed: boolean
}

const maxInRow = 5
const windowMs = 30_000
const minCalls = 20
const maxFailedShare = 0.5
const firstOpenMs = 15_000
const longestOpenMs = 120_000
/** Clients choose the names of models. */
const maxCircuits = 10_000

/**
 * A circuit for each key and model. It opens after five failures in a row, or when half of at least 20 calls within
 * 30 s failed; then, after a while, one call at a time tries whether it works again.
 */
export class Circuits {
  readonly #circuits = new LRUCache<string, Circuit>({ max: maxCircuits })

  /** When the circuit lets a call through: 0 for now. */
  closedUntil(name: string, now = performance.now()): number {
    const circuit = this.#circuits.get(name)
    if (!circuit || circuit.openUntil === 0) return 0
    if (circuit.openUntil > now) return circuit.openUntil
    // Half open: the call that tries has not ended.
    return circuit.isProbed ? now + 1 : 0
  }

  began(name: string, now = performance.now()): void {
    const circuit = this.#circuits.get(name)
    if (circuit && circuit.openUntil > 0 && circuit.openUntil <= now) circuit.isProbed = true
  }

  worked(name: string): void {
    const circuit = this.#circuits.get(name)
    if (!circuit) return
    circuit.calls++
    circuit.inRow = 0
    circuit.isProbed = false
    circuit.openUntil = 0
    circuit.timesOpened = 0
  }

  /** The call ended without a verdict, as when its client disconnected. */
  ended(name: string): void {
    const circuit = this.#circuits.get(name)
    if (circuit) circuit.isProbed = false
  }

  /** True when this failure opened the circuit. */
  failed(name: string, now = performance.now()): boolean {
    const circuit = this.#circuits.get(name) ?? newCircuit(now)
    this.#circuits.set(name, circuit)
    if (circuit.windowEnds <= now) Object.assign(circuit, { calls: 0, failed: 0, windowEnds: now + windowMs })
    circuit.calls++
    circuit.failed++
    circuit.inRow++
    if (circuit.openUntil > now) return false
    const isTooMany = circuit.calls >= minCalls && circuit.failed / circuit.calls >= maxFailedShare
    const wasProbe = circuit.isProbed
    circuit.isProbed = false
    if (circuit.inRow < maxInRow && !isTooMany && !wasProbe) return false
    circuit.openUntil = now + Math.min(longestOpenMs, firstOpenMs * 2 ** circuit.timesOpened++)
    return true
  }

  /** All circuits whose names begin so. */
  forget(start: string): void {
    for (const name of [...this.#circuits.keys()]) if (name.startsWith(start)) this.#circuits.delete(name)
  }

  open(now = performance.now()): number {
    return [...this.#circuits.values()].filter(({ openUntil }) => openUntil > now).length
  }
}

const newCircuit = (now: number): Circuit => ({
  inRow: 0,
  calls: 0,
  failed: 0,
  windowEnds: now + windowMs,
  openUntil: 0,
  timesOpened: 0,
  isProbed: false,
})
