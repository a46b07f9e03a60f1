import type { Kysely } from 'kysely'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { Circuits } from './circuits.ts'
import { isOutage, type Failure } from './failure.ts'
import { restChannel, sendRest } from './rest-store.ts'
import { Rests } from './rests.ts'
import type { RoutingMetrics } from './routing-metrics.ts'

/** How the keys of providers do: which rest, which models do not answer, and what runs. */
export interface Health {
  /** When the key may be asked for the model again, by performance.now(); 0 for now. */
  restsUntil(keyId: string, model: string): number
  /** Calls with the key that have not ended. */
  running(keyId: string): number
  began(keyId: string, model: string): void
  /** `failure` is null for a call that worked, and undefined where it is not known whether it did. */
  ended(keyId: string, model: string, failure: Failure | null | undefined): void
  /** Listens for what other processes find out. */
  start(): Promise<void>
}

export interface HealthDeps {
  database: Pick<Database, 'listener' | 'tables'>
  events: Events
  log: Log
  metrics: RoutingMetrics
}

/** A key's new secret, or that somebody switched it on, deserves a new try. */
const changes = ['provider_key.replaced', 'provider_key.activated'] as const

/** Workers and replicas share which keys rest by notifications; while the database is unavailable each knows its own. */
export function createHealth({ database, events, log, metrics }: HealthDeps): Health {
  const db: Kysely<object> = database.tables()
  const rests = new Rests()
  const circuits = new Circuits()
  const running = new Map<string, number>()
  metrics.watch({ resting: () => rests.resting(), open: () => circuits.open() })

  const tell = (keyId: string, ms: number, step: number): void =>
    void sendRest(db, `${keyId} ${Math.round(ms)} ${step}`).catch((error: unknown) =>
      log.debug({ error }, 'other processes were not told that a provider key rests'),
    )

  function hear(message: string): void {
    const [keyId = '', ms = '', step = ''] = message.split(' ')
    if (Number(step) === 0) rests.forget(keyId)
    else rests.heard(keyId, Number(ms), Number(step))
  }

  for (const name of changes)
    events.on(name, ({ keyId }) => {
      circuits.forget(circuitOf(keyId, ''))
      if (rests.forget(keyId)) tell(keyId, 0, 0)
    })

  return {
    restsUntil: (keyId, model) =>
      Math.max(rests.until(keyId), circuits.closedUntil(circuitOf(keyId, model))) || 0,
    running: (keyId) => running.get(keyId) ?? 0,
    began(keyId, model) {
      running.set(keyId, (running.get(keyId) ?? 0) + 1)
      circuits.began(circuitOf(keyId, model))
    },
    ended(keyId, model, failure) {
      const left = (running.get(keyId) ?? 1) - 1
      if (left > 0) running.set(keyId, left)
      else running.delete(keyId)
      const circuit = circuitOf(keyId, model)
      if (failure === null) {
        circuits.worked(circuit)
        rests.worked(keyId)
      } else if (failure && isOutage(failure)) {
        if (circuits.failed(circuit))
          log.warn({ providerKeyId: keyId, model }, 'a provider key is avoided for a model that fails')
      } else circuits.ended(circuit)
      if (failure?.hope !== 'key') return
      const rest = rests.refused(keyId, failure)
      if (!rest) return
      metrics.rested(failure.code)
      const seconds = Math.round(rest.ms / 1_000)
      log.warn({ providerKeyId: keyId, seconds, reason: failure.code }, 'a provider key rests')
      if (seconds > 0) tell(keyId, rest.ms, rest.step)
    },
    start: () => database.listener.on(restChannel, hear),
  }
}

const circuitOf = (keyId: string, model: string): string => `${keyId} ${model}`
