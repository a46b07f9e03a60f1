import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { createCatchUp } from './across-workers.ts'
import { clientConfig, type Target } from './connection.ts'

export interface Listener {
  /**
   * `onMessage` gets each payload; `onReconnect` runs after a gap in which messages may have been missed. Where one
   * of them returns a promise that rejects, it is called again until it succeeds.
   */
  on(channel: string, onMessage: (payload: string) => unknown, onReconnect?: () => unknown): Promise<void>
  /** Runs `onReconnect` of the channel, with its tries: for what was announced before this process listened. */
  catchUp(channel: string): void
  /** Resolves when the other workers of this server have handled the notifications of everything committed so far. */
  othersCaughtUp(): Promise<void>
  /** Undefined before the first heartbeat. */
  lastHeartbeat(): Heartbeat | undefined
  close(): Promise<void>
}

/** A difference that makes expiry times and the order of events wrong. */
export const maxClockDifferenceMs = 5_000
/** Without a response for this long, changes made elsewhere are known late. */
const lateMs = 10_000

/** For /readyz: what is wrong with the connection to the database, besides that it is down. */
export function problemsOf(last: Heartbeat | undefined, now = Date.now()): string[] {
  if (!last) return []
  const problems: string[] = []
  if (now - last.at > lateMs)
    problems.push(
      'the connection for notifications is down: changes by other replicas are known up to 15 s late',
    )
  if (Math.abs(last.clockAheadMs) > maxClockDifferenceMs) problems.push(describeClock(last.clockAheadMs))
  return problems
}

export function describeClock(aheadMs: number): string {
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return `the clock of this server is ${Math.round(Math.abs(aheadMs) / 1000)} s ${direction} the database's: synchronize both`
}

export interface Heartbeat {
  /** When the server last responded over this connection: every notification sent before has arrived. */
  at: number
  /** How far the clock of this machine is ahead of the database's, in milliseconds. */
  clockAheadMs: number
}

interface Subscription {
  channel: string
  onMessage: (payload: string) => unknown
  onReconnect: (() => unknown) | undefined
  /** What the last call returned. One promise may answer several announcements, and then fails once. */
  last: unknown
  /** Failed, and not yet called again with success. */
  failed: (() => unknown) | undefined
  /** How often it has failed since it last succeeded. */
  failures: number
  isRetrying: boolean
}

/** A dead connection is noticed within the sum of both. */
const heartbeatEveryMs = 3_000
const heartbeatTimeoutMs = 4_000
const retryMs = { first: 250, last: 10_000 }

/** `onSilence` runs when the server stops responding over an open connection. */
export function createListener(target: Target, log: Log, onSilence: () => void): Listener {
  const subscriptions: Subscription[] = []
  const ending = new AbortController()
  let client: pg.Client | undefined
  let opening: Promise<pg.Client> | undefined
  let last: Heartbeat | undefined
  // After a lost connection the subscribers read everything again.
  const othersCaughtUp = createCatchUp(async () => {
    if (client) await beat(client).catch(() => undefined)
  })

  /** Who needs the connection while it is opened waits for the same one: nobody would close a second. */
  const connect = async (): Promise<pg.Client> =>
    client ?? (opening ??= open().finally(() => (opening = undefined)))

  async function open(): Promise<pg.Client> {
    const next = new pg.Client({
      ...clientConfig(target),
      application_name: 'signalbox listener',
      query_timeout: heartbeatTimeoutMs,
    })
    next.on('notification', (message) => {
      for (const subscription of subscriptions) {
        if (subscription.channel === message.channel)
          tell(subscription, () => subscription.onMessage(message.payload ?? ''))
      }
    })
    next.on(
      'error',
      (error) =>
        !ending.signal.aborted && log.warn({ reason: error.message }, 'the notification connection was lost'),
    )
    try {
      await next.connect()
      for (const channel of new Set(subscriptions.map((s) => s.channel))) await listen(next, channel)
      // Closed meanwhile: nobody else knows this connection, and it would keep the process.
      ending.signal.throwIfAborted()
    } catch (error) {
      cut(next)
      throw error
    }
    client = next
    // Only an established connection is reopened; a failed attempt is repeated by its caller.
    next.once('end', () => {
      client = undefined
      if (!ending.signal.aborted) void reconnect()
    })
    void watch(next)
    return next
  }

  /** Nothing else would show that a half-open connection is dead: a listener only waits. */
  async function watch(watched: pg.Client): Promise<void> {
    while (!ending.signal.aborted && client === watched) {
      try {
        const next = await beat(watched)
        if (isWrong(next) && !isWrong(last)) log.warn(describeClock(next.clockAheadMs))
        last = next
      } catch (error) {
        if (client !== watched || ending.signal.aborted) return
        log.warn({ error }, 'the notification connection does not respond and is opened again')
        onSilence()
        return cut(watched)
      }
      await sleep(heartbeatEveryMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)
    }
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; !ending.signal.aborted; wait = Math.min(wait * 2, 2_000)) {
      try {
        await connect()
        return subscriptions.forEach(catchUp)
      } catch {
        await sleep(wait, undefined, { signal: ending.signal }).catch(() => undefined)
      }
    }
  }

  function catchUp(subscription: Subscription): void {
    if (subscription.onReconnect) tell(subscription, subscription.onReconnect)
  }

  function tell(subscription: Subscription, work: () => unknown): void {
    const result = work()
    if (!(result instanceof Promise) || result === subscription.last) return
    subscription.last = result
    result.catch((error: unknown) => {
      failed(subscription, work, error)
      if (!subscription.isRetrying) void retry(subscription)
    })
  }

  /** Logged the first time, the second, the fourth and so on: what fails for good is seen for as long, but not always. */
  function failed(subscription: Subscription, work: () => unknown, error: unknown): void {
    const { channel } = subscription
    const failures = ++subscription.failures
    subscription.failed = work
    if (Number.isInteger(Math.log2(failures)))
      log.warn(
        { channel, failures, reason: messageOf(error) },
        'a change that was announced could not be read and is tried again',
      )
  }

  /** Without it a process would not know the change before the next one. */
  async function retry(subscription: Subscription): Promise<void> {
    subscription.isRetrying = true
    for (let wait = retryMs.first; subscription.failed; wait = Math.min(wait * 2, retryMs.last)) {
      await sleep(wait, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)
      if (ending.signal.aborted) return
      const work = subscription.failed
      subscription.failed = undefined
      try {
        await work()
      } catch (error) {
        failed(subscription, work, error)
      }
    }
    const { channel, failures } = subscription
    log.info({ channel, failures }, 'a change that was announced is read after failures')
    subscription.failures = 0
    subscription.isRetrying = false
  }

  return {
    async on(channel, onMessage, onReconnect) {
      subscriptions.push({
        channel,
        onMessage,
        onReconnect,
        last: undefined,
        failed: undefined,
        failures: 0,
        isRetrying: false,
      })
      // Also where the connection was just opened: that may have begun before this subscription.
      await listen(await connect(), channel)
    },
    catchUp: (channel) => subscriptions.filter((each) => each.channel === channel).forEach(catchUp),
    othersCaughtUp,
    lastHeartbeat: () => last,
    async close() {
      ending.abort()
      if (client)
        await Promise.race([
          client.end(),
          sleep(1_000, undefined, { ref: false }).then(() => client && cut(client)),
        ])
    },
  }
}

const isWrong = (beat: Heartbeat | undefined): boolean =>
  beat !== undefined && Math.abs(beat.clockAheadMs) > maxClockDifferenceMs

async function listen(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`)
}

/** How far the clock of this machine is ahead of the database's, in milliseconds. */
export const clockAheadMs = async (client: Pick<pg.Client, 'query'>): Promise<number> =>
  (await beat(client)).clockAheadMs

async function beat(client: Pick<pg.Client, 'query'>): Promise<Heartbeat> {
  const asked = Date.now()
  const { rows } = await client.query<{ now: string }>(
    'select extract(epoch from clock_timestamp()) * 1000 as now',
  )
  const at = Date.now()
  return { at, clockAheadMs: (asked + at) / 2 - Number(rows[0]?.now) }
}

/** Says no goodbye, which a dead connection would never answer. */
function cut(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
