import { z } from 'zod'
import { fields } from '#records/contract'
import { brief } from './brief.ts'
import { draft } from './draft.ts'
import { standupEvent } from './event.ts'
import { guest } from './guest.ts'
import { proposal } from './proposal.ts'

export const standupStatuses = ['open', 'ended'] as const

const summary = {
  id: z.uuid(),
  initiative_id: z.uuid(),
  status: z.enum(standupStatuses),
  model: z.string(),
  started_by: z.string().nullable(),
  started_by_id: z.uuid().nullable().meta({ description: 'The person who speaks; null: any member may.' }),
  invited: z.array(guest).meta({ description: 'Others who may speak.' }),
  started_at: fields.time,
  last_activity_at: fields.time,
  ended_at: fields.time.nullable(),
  ended_reason: z.enum(['person', 'idle']).nullable(),
  is_busy: z.boolean().meta({ description: 'Whether the agent is working on a response.' }),
  last_event_id: z.int().meta({ description: 'A stream after this ID shows only what is new.' }),
  message_count: z.int(),
  drafts_waiting: z.int().meta({ description: 'Drafts that are neither approved nor rejected.' }),
  cost: z.string().meta({ description: 'US dollars so far, from the usage log.', examples: ['0.0421'] }),
  max_cost: z.string().meta({ description: 'The agent stops at this cost.', examples: ['2'] }),
}

const example = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  initiative_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e01',
  status: 'open' as const,
  model: 'my-model',
  started_by: 'ada',
  started_by_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e02',
  invited: [],
  started_at: '2026-11-16T09:30:00.000Z',
  last_activity_at: '2026-11-16T09:31:00.000Z',
  ended_at: null,
  ended_reason: null,
  is_busy: false,
  last_event_id: 4711,
  message_count: 2,
  drafts_waiting: 0,
  cost: '0.0421',
  max_cost: '2',
}

export const standupSummary = z.object(summary).meta({ id: 'StandupSummary', examples: [example] })

/** The whole of a stand-up. `events` without pieces of messages that have come whole. */
export const standup = z
  .object({
    ...summary,
    brief: brief.nullable(),
    events: z.array(standupEvent),
    proposals: z.array(proposal).meta({ description: 'In their present state, oldest first.' }),
    artifacts: z.array(draft),
  })
  .meta({
    id: 'Standup',
    examples: [{ ...example, brief: null, events: [], proposals: [], artifacts: [] }],
  })

/** What the page needs before it starts anything. */
export const currentStandup = z
  .object({
    session: standup.nullable().meta({ description: 'The open one, else the last; null: there was none.' }),
    model: z.string().meta({ description: 'The model of the next stand-up.' }),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why none can be started, such as `no_provider_key`.' }),
  })
  .meta({ examples: [{ session: null, model: 'my-model', problem: null }] })

export type StandupSummary = z.infer<typeof standupSummary>
export type Standup = z.infer<typeof standup>
export type CurrentStandup = z.infer<typeof currentStandup>
