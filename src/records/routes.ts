import type { Http } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { Deployments } from './deployments/index.ts'
import type { createDevlogs, createLearnings, createSkills } from './notes/index.ts'
import { recordRoutes } from './record-routes.ts'
import * as deployments from './shapes/deployments.ts'
import * as notes from './shapes/notes.ts'
import * as tickets from './shapes/tickets.ts'
import type { Tickets } from './tickets/index.ts'

export interface RecordRouteDeps {
  deployments: Deployments
  tickets: Tickets
  devlogs: ReturnType<typeof createDevlogs>
  skills: ReturnType<typeof createSkills>
  learnings: ReturnType<typeof createLearnings>
  log: Log
}

const tag = 'Records'

/** Machines report what happened with the scope `events`; to rewrite what people read, a key needs `admin`. */
export function kindRoutes(app: Http, { log, ...kinds }: RecordRouteDeps): void {
  recordRoutes(app, {
    path: '/api/deployments',
    tag,
    log,
    noun: 'deployment',
    plural: 'deployments',
    kind: kinds.deployments,
    shapes: {
      record: deployments.deployment,
      body: deployments.deploymentBody,
      change: deployments.deploymentChange,
      query: deployments.deploymentQuery,
    },
    isUpserted: true,
    forRuns: true,
    about: 'CI reports each deployment when it starts and when it ends.',
  })
  recordRoutes(app, {
    path: '/api/tickets',
    tag,
    log,
    noun: 'ticket',
    plural: 'tickets',
    kind: kinds.tickets,
    shapes: {
      record: tickets.ticket,
      body: tickets.ticketBody,
      change: tickets.ticketChange,
      query: tickets.ticketQuery,
    },
    isUpserted: true,
    forRuns: true,
    about: 'Work to do, written here or reported by a tracker.',
  })
  recordRoutes(app, {
    path: '/api/devlogs',
    tag,
    log,
    noun: 'devlog',
    plural: 'devlogs',
    kind: kinds.devlogs,
    shapes: {
      record: notes.devlog,
      body: notes.devlogBody,
      change: notes.devlogChange,
      query: notes.devlogQuery,
    },
    keyNeeds: { change: 'admin' },
    forRuns: true,
    about: 'What people and agents did and why.',
  })
  recordRoutes(app, {
    path: '/api/skills',
    tag,
    log,
    noun: 'skill',
    plural: 'skills',
    kind: kinds.skills,
    shapes: {
      record: notes.skill,
      body: notes.skillBody,
      change: notes.skillChange,
      query: notes.skillQuery,
    },
    // Agents follow skills, so what writes to the log may not write them.
    keyNeeds: { create: 'admin', change: 'admin' },
    about: 'Instructions that agents and people follow.',
  })
  recordRoutes(app, {
    path: '/api/learnings',
    tag,
    log,
    noun: 'learning',
    plural: 'learnings',
    kind: kinds.learnings,
    shapes: {
      record: notes.learning,
      body: notes.learningBody,
      change: notes.learningChange,
      query: notes.learningQuery,
    },
    keyNeeds: { change: 'admin' },
    about: 'What the team found out and should not have to find out again.',
  })
}
