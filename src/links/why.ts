import { endsOf, toLink, type LinksDeps } from './links.ts'
import { linksFrom, linksOfRequest, type StoredLink } from './link-store.ts'
import type { Step } from './shapes/link.ts'
import type { ThingRef, ThingType } from './shapes/thing.ts'
import { describe, keyOf, requireThing, toStepThings, type Described, type Sight } from './things/things.ts'

const maxDepth = 12
const maxThings = 200
const breadth = { up: 8, down: 20 }

/** From what happened to what was wanted. A chain goes up only, so it ends; services are where, not why. */
const levels: Readonly<Record<ThingType, number>> = {
  incident: 0,
  deployment: 1,
  sql_change: 1,
  request: 2,
  commit: 2,
  pull_request: 3,
  session: 4,
  run: 4,
  ticket: 5,
  decision: 6,
  standup: 7,
  initiative: 8,
  service: 9,
}

export type Direction = 'up' | 'down'

interface Edge {
  link: StoredLink
  next: ThingRef
}

export type Why = ReturnType<typeof createWhy>

/** Walks along links: up to why something happened, or down to what it caused. */
export function createWhy({ db, caughtUp }: LinksDeps) {
  /** Everything that can be reached, by thing: the strongest links first. */
  async function reach(groupId: string, start: ThingRef, direction: Direction): Promise<Map<string, Edge[]>> {
    const edges = new Map<string, Edge[]>()
    const seen = new Set([keyOf(start)])
    let frontier = [start]
    for (let depth = 0; depth < maxDepth && frontier.length > 0; depth++) {
      const side = direction === 'up' ? 'from' : 'to'
      const links = await linksFrom(db, groupId, side, frontier, breadth[direction])
      if (depth === 0 && start.type === 'request')
        links.push(...(await linksOfRequest(db, groupId, start.id)))
      const next: ThingRef[] = []
      for (const link of links) {
        const { from, to } = endsOf(link)
        const [here, there] = direction === 'up' ? [from, to] : [to, from]
        if (!isStep(here, there, link, direction)) continue
        const key = keyOf(there)
        if (!seen.has(key) && seen.size >= maxThings) continue
        if (!seen.has(key)) next.push(there)
        seen.add(key)
        edges.set(keyOf(here), [...(edges.get(keyOf(here)) ?? []), { link, next: there }])
      }
      frontier = next
    }
    return edges
  }

  async function show(groupId: string, walked: readonly Walked[], sight: Sight): Promise<Step[]> {
    const things = await describe(
      db,
      groupId,
      walked.map(({ ref }) => ref),
      sight,
    )
    const known = walked.flatMap((each) => {
      const thing = things.get(keyOf(each.ref))
      return thing ? [{ ...each, thing }] : []
    })
    const shown = await toStepThings(
      db,
      groupId,
      known.map(({ thing }) => thing),
    )
    return known.map(({ link, depth }, place) => ({
      thing: shown[place] as Step['thing'],
      link: link === null ? null : (toLink(link, things) ?? null),
      depth,
    }))
  }

  return async function why(
    groupId: string,
    given: ThingRef,
    direction: Direction,
    sight: Sight,
  ): Promise<Step[]> {
    const start = await requireThing(db, groupId, given)
    await caughtUp()
    const edges = await reach(groupId, start, direction)
    const things = await describe(
      db,
      groupId,
      [...edges.values()].flatMap((all) => all.map(({ next }) => next)),
      sight,
    )
    const walked = direction === 'up' ? bestPath(start, edges, things) : everything(start, edges, things)
    return show(groupId, walked, sight)
  }
}

function isStep(here: ThingRef, there: ThingRef, { relation }: StoredLink, direction: Direction): boolean {
  if (there.type === 'service') return false
  // Why was this deployed? To repair an incident.
  if (relation === 'repairs') return direction === 'up'
  if (here.type === there.type) return true
  return direction === 'up' ? levels[there.type] > levels[here.type] : levels[there.type] < levels[here.type]
}

interface Walked {
  ref: ThingRef
  link: StoredLink | null
  depth: number
}

interface Path {
  steps: Edge[]
  types: ReadonlySet<ThingType>
  top: number
  confidence: number
}

/**
 * The chain that reaches highest; of those the one over the most kinds of things, so that no hop is left out; of those
 * the surest.
 */
function bestPath(
  start: ThingRef,
  edges: ReadonlyMap<string, Edge[]>,
  things: ReadonlyMap<string, Described>,
): Walked[] {
  const known = new Map<string, Path>()
  const open = new Set<string>()

  function pathFrom(ref: ThingRef): Path {
    const key = keyOf(ref)
    const before = known.get(key)
    if (before) return before
    open.add(key)
    let best: Path = { steps: [], types: new Set([ref.type]), top: levels[ref.type], confidence: 1 }
    const all = (edges.get(key) ?? []).filter(({ next }) => !open.has(keyOf(next)) && things.has(keyOf(next)))
    const others = all.filter(({ link }) => link.relation !== 'repairs')
    for (const edge of others.length > 0 ? others : all) {
      const rest = pathFrom(edge.next)
      const path = {
        steps: [edge, ...rest.steps],
        types: new Set([ref.type, ...rest.types]),
        top: Math.max(rest.top, levels[ref.type]),
        confidence: rest.confidence * edge.link.confidence,
      }
      if (isBetter(path, best)) best = path
    }
    open.delete(key)
    known.set(key, best)
    return best
  }

  const { steps } = pathFrom(start)
  return [
    { ref: start, link: null, depth: 0 },
    ...steps.map(({ link, next }, place) => ({ ref: next, link, depth: place + 1 })),
  ]
}

function isBetter(path: Path, other: Path): boolean {
  const scores = ({ top, types, confidence, steps }: Path) => [top, types.size, confidence, -steps.length]
  const [a, b] = [scores(path), scores(other)]
  const place = a.findIndex((score, index) => score !== b[index])
  return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0)
}

/** Each thing once, under the one that it came from by the strongest link; the order is that of a tree that is read. */
function everything(
  start: ThingRef,
  edges: ReadonlyMap<string, Edge[]>,
  things: ReadonlyMap<string, Described>,
): Walked[] {
  const walked: Walked[] = []
  const seen = new Set<string>()
  function visit(ref: ThingRef, link: StoredLink | null, depth: number): void {
    seen.add(keyOf(ref))
    walked.push({ ref, link, depth })
    for (const { link: down, next } of edges.get(keyOf(ref)) ?? [])
      if (!seen.has(keyOf(next)) && things.has(keyOf(next))) visit(next, down, depth + 1)
  }
  visit(start, null, 0)
  return walked
}
