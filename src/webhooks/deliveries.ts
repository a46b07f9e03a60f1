import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireScope, type Principal } from '#kernel/auth'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults, FieldFault, messageOf, notFound } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import type { createApply, Origin } from './apply.ts'
import type { DeliveryResult } from './contract.ts'
import * as store from './delivery-store.ts'
import type { ActiveHook } from './hook-cache.ts'
import { saysWhen } from './mapping/generic.ts'
import { mappers } from './mapping/index.ts'
import type { WebhookTables } from './tables.ts'

export interface Received {
  event: string | null
  externalId: string | null
  contentType: string
  body: Buffer
}

interface Work extends Origin {
  contentType: string
  event: string | null
  body: Buffer
  receivedAt: Date
  deployWorkflows: readonly string[]
}

/** Deliveries whose signature was verified: stored, processed, listed and replayed. */
export function createDeliveries(db: Kysely<WebhookTables>, apply: ReturnType<typeof createApply>) {
  async function work(
    delivery: Work,
    payload = readPayload(delivery.contentType, delivery.body),
  ): Promise<Omit<DeliveryResult, 'duplicate'>> {
    const { deliveryId: id, kind, event, receivedAt, deployWorkflows } = delivery
    const ignore = async (reason: string) => {
      await store.finishDelivery(db, id, 'ignored', reason)
      return { id, status: 'ignored' as const, reason }
    }
    try {
      if (payload === undefined) return await ignore('The body is not valid JSON.')
      if (kind !== 'generic' && (typeof payload !== 'object' || payload === null))
        return await ignore('The body must be a JSON object.')
      const mapping = mappers[kind]({ event, payload, receivedAt, deployWorkflows })
      if ('ignored' in mapping) return await ignore(mapping.ignored)
      await apply(mapping.changes, delivery)
      await store.finishDelivery(db, id, 'processed', null)
      return { id, status: 'processed', reason: null }
    } catch (error) {
      // It stays pending, and is taken up again.
      if (isDatabaseDown(error)) throw error
      if (error instanceof FieldFault) await ignore(error.message)
      else await store.finishDelivery(db, id, 'failed', reasonOf(error)).catch(() => undefined)
      throw error
    }
  }

  /** Deliveries of other groups return 404; those of the caller's groups are for admins. */
  async function find(principal: Principal, id: string) {
    const ids = principal.groups.map((group) => group.id)
    const row = await store.findDelivery(db, ids, id)
    const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
    if (!row || !group) throw notFound('The delivery')
    requireScope(principal, group, 'admin')
    return row
  }

  const repeat = (row: store.StoredDelivery) =>
    work({
      groupId: row.group_id,
      kind: row.kind,
      hookId: row.hook_id,
      deliveryId: row.id,
      isFirst: !wasProcessed(row),
      contentType: row.content_type,
      event: row.event,
      body: row.body,
      receivedAt: row.received_at,
      deployWorkflows: row.deploy_workflows,
    })

  return {
    find,
    list: (query: store.DeliveryQuery) => store.listDeliveries(db, query),

    async receive(hook: ActiveHook, received: Received): Promise<DeliveryResult> {
      const { event, externalId, contentType, body } = received
      const payload = readPayload(contentType, body)
      const isTimeless = hook.kind === 'generic' && !saysWhen(payload)
      const delivery = {
        id: newId(),
        hook_id: hook.id,
        group_id: hook.group_id,
        event,
        external_id: externalId,
        body_hash: createHash('sha256')
          .update(`${event ?? ''}\n`)
          .update(body)
          .digest(),
        content_type: contentType,
        body,
      }
      const { id, status, reason, received_at, processed_at, isMine } = await store.takeDelivery(
        db,
        delivery,
        isTimeless,
      )
      if (!isMine) return { id, status, reason, duplicate: true }
      const result = await work(
        {
          groupId: hook.group_id,
          kind: hook.kind,
          hookId: hook.id,
          deliveryId: id,
          isFirst: processed_at === null,
          contentType,
          event,
          body,
          receivedAt: received_at,
          deployWorkflows: hook.deploy_workflows,
        },
        payload,
      )
      // One that is ignored is looked at again, because the hook may have changed; it is still a repetition.
      return { ...result, duplicate: status === 'ignored' && result.status === 'ignored' }
    },

    async replay(principal: Principal, id: string): Promise<DeliveryResult> {
      const row = await find(principal, id)
      if (!(await store.restartDelivery(db, id)))
        throw new Fault(faults.conflict, 'This delivery is being processed. Try again in a minute.')
      return { ...(await repeat(row)), duplicate: false }
    },

    /**
     * Deliveries that a crash or an outage of the database cut off: their senders were told nothing, or that they are
     * being processed, and many never send again.
     */
    async resume(): Promise<void> {
      await store.failCutOff(db)
      let taken = await store.takeCutOff(db)
      while (taken) {
        const row = await store.findDelivery(db, [taken.group_id], taken.id)
        // An error is stored in the delivery. Without the database the next run continues.
        if (row)
          await repeat(row).catch((error: unknown) => {
            if (isDatabaseDown(error)) throw error
          })
        taken = await store.takeCutOff(db)
      }
    },
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** A replay that was cut off is pending, with the time at which the delivery was processed before. */
function wasProcessed({ status, processed_at }: store.StoredDelivery): boolean {
  return status === 'processed' || (status === 'pending' && processed_at !== null)
}

/** What an admin may read: a fault's own message, or that there is more in the log. */
function reasonOf(error: unknown): string {
  return error instanceof Fault
    ? messageOf(error)
    : 'Processing failed; the server log has the cause. Replay the delivery once it is resolved.'
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a verified delivery, of any type; undefined if it is none. GitHub may send it as a field of a form. */
function readPayload(contentType: string, body: Buffer): unknown {
  try {
    const text = decoder.decode(body)
    const isForm = contentType.startsWith('application/x-www-form-urlencoded')
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text) as unknown
  } catch {
    return undefined
  }
}
