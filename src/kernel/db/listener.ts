import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#kernel/log'
import { clientConfig, type Target } from './connection.ts'

export interface Listener {
  /** `onMessage` gets each payload; `onReconnect` runs after a gap in which messages may have been missed. */
  on(channel: string, onMessage: (payload: string) => void, onReconnect?: () => void): Promise<void>
  close(): Promise<void>
}

interface Subscription {
  channel: string
  onMessage: (payload: string) => void
  onReconnect: (() => void) | undefined
}

export function createListener(target: Target, log: Log): Listener {
  const subscriptions: Subscription[] = []
  const ending = new AbortController()
  let client: pg.Client | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...clientConfig(target), keepAlive: true })
    next.on('notification', (message) => {
      for (const subscription of subscriptions) {
        if (subscription.channel === message.channel) subscription.onMessage(message.payload ?? '')
      }
    })
    next.on(
      'error',
      (error) =>
        !ending.signal.aborted && log.warn({ reason: error.message }, 'the notification connection was lost'),
    )
    await next.connect()
    for (const channel of new Set(subscriptions.map((s) => s.channel))) await listen(next, channel)
    client = next
    // Only an established connection is reopened; a failed attempt is repeated by its caller.
    next.once('end', () => {
      client = undefined
      if (!ending.signal.aborted) void reconnect()
    })
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; !ending.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        await connect()
        for (const subscription of subscriptions) subscription.onReconnect?.()
        return
      } catch {
        await sleep(wait, undefined, { signal: ending.signal }).catch(() => undefined)
      }
    }
  }

  return {
    async on(channel, onMessage, onReconnect) {
      subscriptions.push({ channel, onMessage, onReconnect })
      if (client) await listen(client, channel)
      else await connect()
    },
    async close() {
      ending.abort()
      await client?.end()
    },
  }
}

async function listen(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${pg.escapeIdentifier(channel)}`)
}
