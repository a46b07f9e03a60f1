import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'
import { run, runEvent } from '../shapes/run.ts'

/** The schema describes the data of each event. */
const events = {
  schema: runEvent,
  example: {
    type: 'status',
    run_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
    seq: 1,
    at: '2026-11-16T09:30:00.000Z',
    status: 'queued',
    waiting_for: null,
  },
}
const eventsAndRun = { ...events, schema: z.union([runEvent, run]) }

export const askDocs: RouteDocs = {
  errors: ['conflict', 'rateLimit', 'unavailable'],
  response: {
    200: {
      description: 'The run when it ended or waits, or its events; the schema describes the data of each.',
      content: { 'application/json': { schema: run }, 'text/event-stream': eventsAndRun },
    },
  },
}

export const eventDocs: RouteDocs = {
  errors: ['rateLimit'],
  response: {
    200: {
      description: 'The events of the run; the schema describes the data of each.',
      content: { 'text/event-stream': events },
    },
  },
}

export const answerDocs: RouteDocs = { errors: ['conflict'] }
export const assignDocs: RouteDocs = { errors: ['conflict', 'rateLimit', 'unavailable'] }
