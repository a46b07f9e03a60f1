import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'
import { run } from './shapes.ts'

const events = {
  schema: z.string(),
  example:
    'id: 1\nevent: status\ndata: {"type":"status","run_id":"0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f","seq":1,"at":"2026-11-16T09:30:00.000Z","status":"queued","waiting_for":null}\n\n',
}

export const askDocs: RouteDocs = {
  errors: ['conflict', 'rateLimit', 'unavailable'],
  response: {
    200: {
      description: 'The run when it ended or waits, or its events.',
      content: { 'application/json': { schema: run }, 'text/event-stream': events },
    },
  },
}

export const eventDocs: RouteDocs = {
  response: {
    200: { description: 'The events of the run.', content: { 'text/event-stream': events } },
  },
}

export const answerDocs: RouteDocs = { errors: ['conflict'] }
