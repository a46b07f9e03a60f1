import { leftOut, type ChosenDay, type Deployments } from '../days/deployments.ts'
import type { Span } from '../days/read-days.ts'
import { stretches } from '../days/stretches.ts'
import { Gathered, type Measured } from './measured.ts'

/** Deployments of a service, or of all. */
export interface DeploymentTally {
  total: number
  /** In the order of `statuses`. */
  statuses: [number, number, number, number]
  build: Measured
  lead: Measured
}

export type ServiceTally = DeploymentTally & { service: string }

/** All together. */
export const tallyAll = (deployments: Deployments, span: Span): DeploymentTally =>
  tally(
    deployments,
    span,
    deployments.lanes.map(() => 0),
    1,
  ).all

/** All together, and each service apart. */
export function tallyServices(
  deployments: Deployments,
  span: Span,
): { all: DeploymentTally; services: ServiceTally[] } {
  const names = [...new Set(deployments.lanes.map(({ service }) => service))]
  const placeOf = new Map(names.map((name, n) => [name, n]))
  const partOfLane = deployments.lanes.map(({ service }) => placeOf.get(service)!)
  const { all, parts } = tally(deployments, span, partOfLane, names.length)
  return { all, services: names.map((service, n) => ({ service, ...parts[n]! })) }
}

function tally(
  { days }: Deployments,
  { from, to }: Span,
  partOfLane: readonly number[],
  length: number,
): { all: DeploymentTally; parts: DeploymentTally[] } {
  const chosen = Array.from(stretches(days, [from, to]), (stretch) => ({
    ...stretch,
    partOf: stretch.day.laneOf.map((lane) => partOfLane[lane] ?? leftOut),
  }))
  const counts = countStatuses(chosen, length)
  const totals = counts.map(sum)
  const [build, lead] = [gather(chosen, 'build', totals), gather(chosen, 'lead', totals)]
  const statuses = [0, 1, 2, 3].map((status) => sum(counts.map((each) => each[status]!))) as Statuses
  return {
    all: { total: sum(totals), statuses, build: build.all(), lead: lead.all() },
    parts: counts.map((each, n) => ({
      total: totals[n]!,
      statuses: each,
      build: build.part(n),
      lead: lead.part(n),
    })),
  }
}

type Statuses = DeploymentTally['statuses']

const sum = (values: readonly number[]): number => values.reduce((before, value) => before + value, 0)

interface Chosen {
  day: ChosenDay
  first: number
  last: number
  /** For each lane of the day its part. */
  partOf: readonly number[]
}

/** Of each part. */
function countStatuses(chosen: readonly Chosen[], parts: number): Statuses[] {
  const counts = new Uint32Array(4 * parts)
  for (const { day, first, last, partOf } of chosen) {
    const { lane, status } = day
    for (let place = first; place < last; place++) {
      const part = partOf[lane[place]!]!
      if (part >= 0) counts[4 * part + status[place]!]!++
    }
  }
  return Array.from({ length: parts }, (_, n) => [...counts.subarray(4 * n, 4 * n + 4)] as Statuses)
}

function gather(chosen: readonly Chosen[], column: 'build' | 'lead', totals: readonly number[]): Gathered {
  const gathered = new Gathered(totals)
  for (const { day, first, last, partOf } of chosen)
    gathered.add({ column: day[column], first, last, name: day.lane, partOf })
  return gathered.close()
}
