import type { ThingType } from '../shapes/thing.ts'

/** Where changes are read from, oldest first: a view that has `id` and `changed_at`. */
export interface Source {
  name: string
  view: string
  /** What a row is a change of, and the column with its ID. */
  type: ThingType
  thing: string
  idType: 'uuid' | 'text'
}

const rows = (type: ThingType, view: string, idType: 'uuid' | 'text' = 'uuid'): Source => ({
  ...{ name: view, view, type, thing: 'id', idType },
})

/** What others are linked to comes first. */
export const sources: readonly Source[] = [
  rows('service', 'services'),
  rows('initiative', 'initiatives'),
  { ...rows('initiative', 'initiative_links'), thing: 'initiative_id' },
  rows('standup', 'standups'),
  rows('decision', 'decisions'),
  rows('ticket', 'tickets'),
  rows('run', 'runs'),
  rows('sql_change', 'sql_changes'),
  rows('deployment', 'deployments'),
  rows('incident', 'incidents'),
  rows('commit', 'commits', 'text'),
  rows('pull_request', 'pull_requests', 'text'),
  rows('session', 'sessions'),
]

/** Of things that have no source their links are found from the other end. */
export const idTypes = new Map(sources.map(({ type, idType }) => [type, idType]))
