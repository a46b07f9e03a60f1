import type { AttentionSource } from '#kernel/attention'
import { scopesIn, type Membership, type Person, type Principal } from '#kernel/auth'
import type { Events } from '#kernel/events'
import type { Part } from '#kernel/part'
import type { AttentionList } from './contract.ts'
import { createFound } from './found.ts'
import { attentionRoutes } from './routes.ts'
import { inOrder, toItem } from './to-item.ts'

export interface AttentionDeps {
  events: Events
  /** A person's unread notifications that lead to other paths than these. */
  countUnread(groupId: string, userId: string, otherThan: readonly string[]): Promise<number>
}

export interface Attention extends Part {
  /** Adds what a part hands in. Call it before `start`. */
  register(source: AttentionSource): void
  /** What the caller has to deal with in the group. */
  list(principal: Principal, group: Membership): Promise<AttentionList>
}

/**
 * What needs somebody now: services that are down, statements and runs that wait, budgets near their end. The parts hand
 * in what they know; this one asks them, and shows each person what he or she can deal with.
 *
 * @example
 * const attention = createAttention({ ...kernel, countUnread: notifications.countUnread })
 * attention.register(source) // before `start`
 */
export function createAttention({ events, countUnread }: AttentionDeps): Attention {
  const sources: AttentionSource[] = []
  const found = createFound(sources)
  let stopListening = (): void => undefined

  async function list(principal: Principal, group: Membership): Promise<AttentionList> {
    const shown = sources.filter((source) => mayDealWith(source, principal, group))
    const things = await found(group.id, principal.user)
    const data = inOrder(shown.flatMap((source) => toItem(source, things.get(source.kind) ?? []) ?? []))
    const standing = data.reduce((sum, { count }) => sum + count, 0)
    return { data, total: standing + (await unreadOf(principal.user, group.id, data)) }
  }

  const unreadOf = async (user: Person | null, groupId: string, data: AttentionList['data']) =>
    user === null
      ? 0
      : countUnread(
          groupId,
          user.id,
          data.flatMap(({ paths }) => paths),
        )

  return {
    name: 'attention',
    role: 'platform',
    register: (source) => void sources.push(source),
    list,
    routes: (app) => attentionRoutes(app, list),
    async start() {
      // What somebody has just dealt with is gone from the next response of this process.
      stopListening = events.on('*', found.forget, { except: ['request.settled', 'api_call'] })
    },
    async stop() {
      stopListening()
    },
  }
}

/** A key has no role: its scopes say what it may read. */
function mayDealWith(source: AttentionSource, principal: Principal, group: Membership): boolean {
  if (!scopesIn(principal, group).has(source.needs)) return false
  return principal.key !== undefined || (source.roles?.includes(group.role) ?? true)
}
