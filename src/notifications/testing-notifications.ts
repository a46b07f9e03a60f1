import { after } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { administer, databaseOf } from '#test/database'
import type { Product } from '#test/product'
import { createNotifications, type Notification, type Notifications } from './index.ts'
import { repeatFiring } from './repeat.ts'
import type { Channel, Delivery } from './contract.ts'

export interface Sender extends Pick<Notifications, 'send'> {
  /** What the job does every ten minutes. */
  repeat(): Promise<void>
}

/** Sends notifications as a part of another process on the same database does; the product delivers them. */
export async function openSender(product: Pick<Product, 'config' | 'target'>): Promise<Sender> {
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(product.target, log, product.config)
  after(() => database.close())
  const unused = (): never => {
    throw new Error('a sender opens no secrets')
  }
  const { send } = createNotifications({
    config: product.config,
    database,
    log,
    events: createEvents(log),
    secrets: { put: unused, open: unused, remove: unused },
    timeZone: async () => null,
    address: () => '',
    version: 'test',
  })
  return { send, repeat: () => repeatFiring({ db: database.tables(), timeZone: async () => null }) }
}

let sent = 0

/** A notification with a key of its own, unless one is given. */
export const notification = (groupId: string, fields: Partial<Notification> = {}): Notification => ({
  groupId,
  alertId: null,
  kind: 'service_down',
  severity: 'error',
  state: 'firing',
  title: 'checkout is down',
  text: '3 health checks in a row failed.',
  path: '/services',
  key: `thing ${++sent}`,
  data: { service: 'checkout' },
  channels: [],
  ...fields,
})

export async function createChannel(
  product: Pick<Product, 'call'>,
  type: string,
  config: object,
  fields: object = {},
): Promise<Channel> {
  const { status, json } = await product.call('/api/v1/channels', {
    json: { name: type, type, config, ...fields },
  })
  if (status !== 201) throw new Error(JSON.stringify(json))
  return json as Channel
}

export async function deliveriesOf(
  product: Pick<Product, 'call'>,
  channel: Pick<Channel, 'id'>,
): Promise<Delivery[]> {
  return (await product.call(`/api/v1/channels/${channel.id}/deliveries`)).json.data as Delivery[]
}

/** As if everything that waits in the channel were due now. */
export async function makeDue(product: Product, channel: Pick<Channel, 'id'>): Promise<void> {
  await administer(
    `with due as (update notifications.deliveries set due_at = now() where channel_id = '${channel.id}' returning 1)
     select pg_notify('notifications_due', '') from (select count(*) from due) counted`,
    databaseOf(product),
  )
}
