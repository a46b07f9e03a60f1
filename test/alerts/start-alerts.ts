import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { startProduct, type Product } from '#test/product'
import { createAlerts, type AlertDeps } from '../../src/limits/alerts/index.ts'
import type { Alert } from '../../src/limits/alerts/shapes.ts'
import type { AlertNotification } from '../../src/limits/alerts/tell.ts'

/** A product, and a second process on its database whose clock, disk and limits a test decides. */
export async function startAlerts(product?: Product) {
  const it = product ?? (await startProduct())
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(it.target, log)
  after(() => database.close())
  const groupId = it.first.groupId
  // The product's own job would evaluate with the time of the machine.
  await database.pool.query(`delete from jobs.schedule where name = 'alerts.evaluate'`)
  const world = {
    now: new Date(),
    disk: { host: 'one', freeBytes: 50, totalBytes: 100 },
    limit: undefined as Awaited<ReturnType<AlertDeps['limitUse']>>,
    priced: new Set<string>(),
  }

  /** Notifications of a process, as `state title`. */
  function startProcess() {
    const sent: AlertNotification[] = []
    const notifier = { send: async (notification: AlertNotification) => void sent.push(notification) }
    const part = createAlerts({
      config: it.config,
      database,
      events: createEvents(log),
      log,
      notifications: { send: (notification) => notifier.send(notification) },
      channelIds: async () => new Set(),
      limitUse: async () => world.limit,
      hasPrice: (_group, _provider, model) => world.priced.has(model),
      firstGroup: async () => groupId,
      disk: async () => world.disk,
      now: () => world.now,
    })
    return { sent, notifier, evaluate: () => part.evaluateAll() }
  }
  const other = startProcess()

  async function insertAlert(kind: string, config: object, more: object = {}): Promise<Alert> {
    // Turned on by SQL, so that only the second process evaluates it.
    const made = await it.call('/api/v1/alerts', {
      json: { name: kind, kind, config, is_active: false, ...more },
    })
    assert.equal(made.status, 201, made.text)
    await database.pool.query(`update alerts.rules set is_active = true, active_since = $2 where id = $1`, [
      made.json.id,
      new Date(world.now.getTime() - 60_000),
    ])
    return made.json as Alert
  }

  /** What the second process sends of one alert when it evaluates now. */
  async function evaluated(alert: Alert): Promise<string[]> {
    const before = other.sent.length
    await other.evaluate()
    return other.sent
      .slice(before)
      .filter(({ alertId }) => alertId === alert.id)
      .map(({ state, title }) => `${state}: ${title}`)
  }

  return {
    ...it,
    groupId,
    world,
    database,
    query: (text: string, values: unknown[] = []) => database.pool.query(text, values),
    other,
    startProcess,
    insertAlert,
    evaluated,
    async end(alert: Alert): Promise<void> {
      await it.call(`/api/v1/alerts/${alert.id}`, { method: 'DELETE' })
    },
    /** Events of the console about an alert, the oldest first. */
    async events(
      alertId: string,
    ): Promise<{ title: string; severity: string; metadata: Record<string, unknown> }[]> {
      const { json } = await it.call(`/api/console/events?type=system&metadata=alert_id:${alertId}`)
      return json.data.toReversed()
    },
  }
}
