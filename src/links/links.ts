import { Fault, faults, notFound } from '#kernel/errors'
import { linksOf, linksOfRequest, requestsOf, type StoredLink } from './link-store.ts'
import * as store from './link-store.ts'
import type { Link, LinkBody } from './shapes/link.ts'
import type { ThingRef } from './shapes/thing.ts'
import type { Db } from './tables.ts'
import { describe, keyOf, requireThing, toThing, type Described, type Sight } from './things/things.ts'

export interface LinksDeps {
  db: Db
  /** Links of what is there now have been found. */
  caughtUp(): Promise<void>
}

const maxLinks = 200
const maxRequests = 20

export const endsOf = (link: StoredLink): { from: ThingRef; to: ThingRef } => ({
  from: { type: link.from_type, id: link.from_id },
  to: { type: link.to_type, id: link.to_id },
})

/** Undefined: one of its ends is gone. */
export function toLink(link: StoredLink, things: ReadonlyMap<string, Described>): Link | undefined {
  const { from, to } = endsOf(link)
  const [source, target] = [things.get(keyOf(from)), things.get(keyOf(to))]
  if (!source || !target) return undefined
  const { id, relation, how, evidence, confidence, created_at: at } = link
  return {
    ...{ id, from: toThing(source), to: toThing(target), relation, how, evidence, confidence },
    created_at: at.toISOString(),
  }
}

/** Of links that say the same the strongest, which comes first, is enough. */
export function withoutWeaker(links: readonly StoredLink[]): StoredLink[] {
  const bySaying = new Map<string, StoredLink>()
  for (const link of links) {
    const { from, to } = endsOf(link)
    const saying = `${keyOf(from)} ${link.relation} ${keyOf(to)}`
    if (!bySaying.has(saying)) bySaying.set(saying, link)
  }
  return [...bySaying.values()]
}

/** Links between things of a group: read, added and removed by people. */
export function createLinks({ db, caughtUp }: LinksDeps) {
  async function show(groupId: string, links: readonly StoredLink[], sight: Sight): Promise<Link[]> {
    const things = await describe(
      db,
      groupId,
      links.flatMap((link) => Object.values(endsOf(link))),
      sight,
    )
    return links.flatMap((link) => toLink(link, things) ?? [])
  }

  async function ofRequests(groupId: string, ref: ThingRef): Promise<StoredLink[]> {
    if (ref.type === 'request') return linksOfRequest(db, groupId, ref.id)
    const hasRequests = ref.type === 'session' || ref.type === 'run' || ref.type === 'standup'
    return hasRequests ? requestsOf(db, groupId, ref, maxRequests) : []
  }

  async function require(groupId: string, id: string): Promise<{ id: string; how: Link['how'] }> {
    const link = await store.findLink(db, groupId, id)
    if (!link) throw notFound('The link')
    return link
  }

  return {
    async list(groupId: string, given: ThingRef, sight: Sight): Promise<Link[]> {
      const ref = await requireThing(db, groupId, given)
      await caughtUp()
      const links = await linksOf(db, groupId, ref, maxLinks)
      return show(groupId, [...withoutWeaker(links), ...(await ofRequests(groupId, ref))], sight)
    },

    async add(
      groupId: string,
      userId: string | null,
      body: LinkBody,
      sight: Sight,
    ): Promise<{ link: Link; isNew: boolean }> {
      const from = await requireThing(db, groupId, body.from)
      const to = await requireThing(db, groupId, body.to)
      if (keyOf(from) === keyOf(to))
        throw new Fault(faults.invalidRequest, 'A thing cannot be linked to itself.', { param: 'to' })
      const { relation, evidence } = body
      const made = await store.insertLink(db, {
        ...{ group_id: groupId, from, to, relation, evidence, created_by: userId },
      })
      const link = made ?? (await store.findPersonsLink(db, groupId, { from, to, relation }))
      const [shown] = link ? await show(groupId, [link], sight) : []
      if (!shown) throw notFound('The link')
      return { link: shown, isNew: made !== undefined }
    },

    async remove(groupId: string, id: string): Promise<void> {
      const { how } = await require(groupId, id)
      if (how !== 'person')
        throw new Fault(
          faults.conflict,
          how === 'exact'
            ? 'This link follows from what one of the two says. Change that instead.'
            : 'This link was inferred. Dismiss it instead: POST /api/v1/links/{id}/dismiss.',
        )
      await store.deleteLink(db, id)
    },

    async dismiss(groupId: string, id: string): Promise<void> {
      const { how } = await require(groupId, id)
      if (how === 'exact')
        throw new Fault(
          faults.conflict,
          'This link follows from what one of the two says. Change that instead.',
        )
      if (how === 'person') await store.deleteLink(db, id)
      else await store.dismissLink(db, id)
    },
  }
}

export type Links = ReturnType<typeof createLinks>
