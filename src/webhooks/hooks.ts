import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireScope, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { Secret } from '#kernel/log'
import { newId } from '#kernel/uuid'
import type { SecretStore } from '#vault'
import type { HookKind } from './contract.ts'
import * as store from './hook-store.ts'
import type { WebhookTables } from './tables.ts'

export interface NewHookInput {
  kind: HookKind
  name: string
  secret: string | undefined
  deployWorkflows: string[]
}

export interface HookChange {
  name?: string | undefined
  secret?: string | undefined
  is_active?: boolean | undefined
  deploy_workflows?: string[] | undefined
}

export interface HookDeps {
  db: Kysely<WebhookTables>
  secrets: SecretStore
  events: Events
  /** This process's own changes count for its next delivery, before the notification arrives. */
  onChange: () => void
}

const maxHooks = 100

/** The webhooks of a group: created, changed and deleted by its admins. */
export function createHooks({ db, secrets, events, onChange }: HookDeps) {
  function changed(principal: Principal, row: store.HookRow, what: string): void {
    onChange()
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      title: `Webhook ${what}: ${row.name}`,
      metadata: { hook_id: row.id, kind: row.kind, api_key_id: principal.key?.id ?? null },
    })
  }

  /** Hooks of other groups return 404; those of the caller's groups are for admins. */
  async function find(principal: Principal, id: string): Promise<store.HookRow> {
    const row = await store.findHook(
      db,
      principal.groups.map((group) => group.id),
      id,
    )
    const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
    if (!row || !group) throw notFound('The webhook')
    requireScope(principal, group, 'admin')
    return row
  }

  return {
    find,
    list: (groupId: string) => store.listHooks(db, groupId),

    async create(principal: Principal, group: Membership, input: NewHookInput) {
      if ((await store.countHooks(db, group.id)) >= maxHooks)
        throw new Fault(faults.conflict, `A group has at most ${maxHooks} webhooks. Delete one first.`)
      const secret = input.secret ?? `whsec_${randomBytes(24).toString('base64url')}`
      const secretId = await secrets.put(group.id, new Secret(secret))
      const row = await store.insertHook(db, {
        id: newId(),
        group_id: group.id,
        kind: input.kind,
        name: input.name,
        secret_id: secretId,
        deploy_workflows: input.deployWorkflows,
        created_by: principal.user?.id ?? null,
      })
      changed(principal, row, 'created')
      return { row, secret }
    },

    async change(principal: Principal, id: string, { secret, ...change }: HookChange) {
      const before = await find(principal, id)
      const secretId =
        secret === undefined ? undefined : await secrets.put(before.group_id, new Secret(secret))
      const row = await store.updateHook(db, id, {
        ...change,
        ...(secretId !== undefined && { secret_id: secretId }),
      })
      if (!row) throw notFound('The webhook')
      // After the hook has its new secret: deleting one deletes the hook that uses it.
      if (secretId !== undefined) await secrets.remove(before.group_id, before.secret_id)
      changed(principal, row, secretId === undefined ? 'changed' : 'secret changed')
      return row
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const row = await find(principal, id)
      await secrets.remove(row.group_id, row.secret_id)
      changed(principal, row, 'deleted')
    },
  }
}

export type Hooks = ReturnType<typeof createHooks>
