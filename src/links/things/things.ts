import { notFound } from '#kernel/errors'
import { isUuid } from '#kernel/uuid'
import type { Step } from '../shapes/link.ts'
import type { Thing, ThingRef, ThingType } from '../shapes/thing.ts'
import type { Queries } from '../tables.ts'
import { canonical, names } from './canonical.ts'
import { beliefsAt, findThings, idByName, type FoundThing } from './thing-store.ts'

export const keyOf = ({ type, id }: ThingRef): string => `${type} ${id}`

/** The thing that a request names, or 404: what another group has does not exist. */
export async function requireThing(db: Queries, groupId: string, given: ThingRef): Promise<ThingRef> {
  const ref = await named(db, groupId, canonical(given))
  const found = await findThings(db, groupId, ref.type, [ref.id])
  if (found.length === 0) throw notFound(names[ref.type])
  return ref
}

async function named(db: Queries, groupId: string, ref: ThingRef): Promise<ThingRef> {
  const { type, id } = ref
  if ((type !== 'initiative' && type !== 'service') || isUuid(id)) return ref
  const found = await idByName(db, groupId, type, id)
  if (found === undefined) throw notFound(names[type])
  return { type, id: found }
}

export type Described = Omit<Step['thing'], 'data' | 'at'> & { found: FoundThing }

/** What a reader may know of things whose own pages are not for everybody. Without it a thing has no more than a name. */
export interface Sight {
  sqlChanges: boolean
  runs: boolean
}

const hidden = (found: FoundThing, title: string): FoundThing => ({ ...found, title, data: {} })

function asSeen(type: ThingType, found: FoundThing, { sqlChanges, runs }: Sight): FoundThing {
  if (type === 'sql_change' && !sqlChanges) return hidden(found, 'A change by SQL')
  if (type === 'run' && !runs) return hidden(found, 'A run of an agent')
  return found
}

/** The things by type and ID, each described for people. What does not exist any more is left out. */
export async function describe(
  db: Queries,
  groupId: string,
  refs: readonly ThingRef[],
  sight: Sight,
): Promise<Map<string, Described>> {
  const byType = Map.groupBy(refs, ({ type }) => type)
  const described = new Map<string, Described>()
  for (const [type, same] of byType) {
    const ids = [...new Set(same.map(({ id }) => id))]
    for (const each of await findThings(db, groupId, type, ids)) {
      const found = asSeen(type, each, sight)
      described.set(keyOf({ type, id: found.id }), { ...plain(type, found), found })
    }
  }
  return described
}

const plain = (type: ThingType, { id, title, url }: FoundThing): Thing => ({ type, id, title, url })

export const toThing = ({ type, id, title, url }: Described): Thing => ({ type, id, title, url })

/** With what it says about why: prompts, what was decided, and how sure people were that day. */
export async function toStepThings(
  db: Queries,
  groupId: string,
  described: readonly Described[],
): Promise<Step['thing'][]> {
  const decisions = described.flatMap(({ type, id }) => (type === 'decision' ? [id] : []))
  const beliefs = decisions.length === 0 ? [] : await beliefsAt(db, groupId, decisions)
  return described.map((each) => ({
    ...toThing(each),
    at: each.found.at?.toISOString() ?? null,
    data: {
      ...each.found.data,
      ...(each.type === 'decision' && {
        criteria: beliefs
          .filter(({ decision_id: id }) => id === each.id)
          .map(({ text, confidence }) => ({ text, confidence })),
      }),
    },
  }))
}
