import type { Kysely } from 'kysely'
import { requireScope, type Membership, type Principal } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { Secret } from '#kernel/log'
import { newId } from '#kernel/uuid'
import type { SecretStore } from '#vault'
import type { ChannelBody, ChannelChange } from './contract.ts'
import { checkConfig } from './channel-config.ts'
import * as store from './channel-store.ts'
import type { NotificationTables } from './tables.ts'

export interface ChannelDeps {
  config: Config
  db: Kysely<NotificationTables>
  secrets: SecretStore
  events: Events
}

const maxChannels = 100

/** The channels of a group: created, changed and deleted by its admins. */
export function createChannels({ config, db, secrets, events }: ChannelDeps) {
  function changed(principal: Principal, row: store.ChannelRow, what: string): void {
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      title: `Channel ${what}: ${row.name}`,
      metadata: { channel_id: row.id, type: row.type, api_key_id: principal.key?.id ?? null },
    })
  }

  /** Channels of other groups return 404; those of the caller's groups are for admins. */
  async function find(principal: Principal, id: string): Promise<store.ChannelRow> {
    const row = await store.findChannel(
      db,
      principal.groups.map((group) => group.id),
      id,
    )
    const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
    if (!row || !group) throw notFound('The channel')
    requireScope(principal, group, 'admin')
    return row
  }

  const seal = (groupId: string, secret: string | undefined): Promise<string> | undefined =>
    secret === undefined ? undefined : secrets.put(groupId, new Secret(secret))

  return {
    find,
    list: (groupId: string) => store.listChannels(db, groupId),

    async create(principal: Principal, group: Membership, input: ChannelBody): Promise<store.ChannelRow> {
      const checked = checkConfig(input.type, input.config, config)
      if ((await store.countChannels(db, group.id)) >= maxChannels)
        throw new Fault(faults.conflict, `A group has at most ${maxChannels} channels. Delete one first.`)
      const row = await store.insertChannel(db, {
        id: newId(),
        group_id: group.id,
        name: input.name,
        type: input.type,
        config: JSON.stringify(checked.shown),
        secret_id: (await seal(group.id, checked.secret)) ?? null,
        kinds: input.kinds ?? [],
        min_severity: input.min_severity ?? 'info',
        quiet_hours: jsonOrNull(input.quiet_hours),
        is_active: input.is_active ?? true,
        created_by: principal.user?.id ?? null,
      })
      changed(principal, row, 'created')
      return row
    },

    async change(principal: Principal, id: string, change: ChannelChange): Promise<store.ChannelRow> {
      const before = await find(principal, id)
      const { config: input, quiet_hours: quietHours, ...rest } = change
      const checked = input && checkConfig(before.type, input, config, before.config)
      const secretId = await seal(before.group_id, checked?.secret)
      const row = await store.updateChannel(db, id, {
        ...rest,
        ...(checked && { config: JSON.stringify(checked.shown) }),
        ...(quietHours !== undefined && { quiet_hours: jsonOrNull(quietHours) }),
        ...(secretId !== undefined && { secret_id: secretId }),
      })
      if (!row) throw notFound('The channel')
      // After the channel has its new secret: deleting one deletes the channel that uses it.
      if (secretId !== undefined && before.secret_id !== null)
        await secrets.remove(before.group_id, before.secret_id)
      changed(principal, row, secretId === undefined ? 'changed' : 'secret changed')
      return row
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const row = await find(principal, id)
      await store.deleteChannel(db, id)
      if (row.secret_id !== null) await secrets.remove(row.group_id, row.secret_id)
      changed(principal, row, 'deleted')
    },
  }
}

const jsonOrNull = (value: object | null | undefined): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

export type Channels = ReturnType<typeof createChannels>
