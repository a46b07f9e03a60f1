import { z } from 'zod'
import { questionCategory } from '#initiatives/contract'
import { fields } from '#records/contract'
import { brief } from './brief.ts'
import { draft } from './draft.ts'
import { guest } from './guest.ts'
import { proposal } from './proposal.ts'
import { researchResult } from './research.ts'

/** Every event has these. IDs grow within a stand-up, with gaps. */
const shared = {
  id: z.int().meta({ description: 'For `Last-Event-ID`.' }),
  created_at: fields.time,
}
const side = z.enum(['human', 'agent'])

/** What the platform read when the stand-up started. */
const briefEvent = z.object({ ...shared, type: z.literal('brief'), brief })

/** Somebody said something. `interrupted`: the agent did not come to its end. */
const messageEvent = z.object({
  ...shared,
  type: z.literal('message'),
  message_id: z.uuid(),
  role: z.enum(['assistant', 'user']),
  content: z.string(),
  author: z.string().nullable().meta({ description: 'The person; null for the agent.' }),
  interrupted: z.boolean(),
})

/** The next piece of the message being spoken. Once the whole has followed, the pieces are not replayed. */
const deltaEvent = z.object({
  ...shared,
  type: z.literal('delta'),
  message_id: z.uuid(),
  content: z.string(),
})

const questionEvent = z.object({
  ...shared,
  type: z.literal('question'),
  question_id: z.uuid().meta({ description: 'Of the open question, where it is one of the initiative.' }),
  category: questionCategory,
  content: z.string(),
  options: z.array(z.string()).meta({ description: 'Answers to choose from; may be empty.' }),
})

/** A proposal, and again whenever it changes: the newest event of a proposal is its state. */
const proposalEvent = z.object({ ...shared, type: z.literal('proposal'), proposal })

const researchEvent = z.object({
  ...shared,
  type: z.literal('research'),
  query: z.string(),
  results: z.array(researchResult),
  requested_by: side,
  note: z
    .string()
    .nullable()
    .meta({ description: 'What was not searched, such as the web where there is no key for it.' }),
})

/** The agent looked something up. */
const toolEvent = z.object({
  ...shared,
  type: z.literal('tool'),
  name: z.string(),
  summary: z.string().meta({ description: 'Such as `Read 12 tickets`.' }),
  links: z.array(z.object({ title: z.string(), url: z.string() })).meta({
    description: 'What it read, as far as it has pages.',
  }),
  is_error: z.boolean(),
})

/** The agent works on a response, or no longer does. */
const turnEvent = z.object({ ...shared, type: z.literal('turn'), state: z.enum(['started', 'finished']) })

/** Something failed; the stand-up continues with the next message. */
const errorEvent = z.object({ ...shared, type: z.literal('error'), code: z.string(), message: z.string() })

/** The person who started the stand-up has let somebody else speak. */
const invitedEvent = z.object({ ...shared, type: z.literal('invited'), invited: z.array(guest) })

/** A draft was made, approved or rejected. */
const artifactEvent = z.object({ ...shared, type: z.literal('artifact'), artifact: draft })

const endedEvent = z.object({
  ...shared,
  type: z.literal('ended'),
  reason: z.enum(['person', 'idle', 'deleted']).meta({
    description:
      '`deleted`: the initiative was deleted, and the stand-up with it. This event is not in any log.',
  }),
  ended_by: z.string().nullable(),
  artifacts: z.int().meta({ description: 'How many drafts there are.' }),
})

export const standupEvent = z
  .discriminatedUnion('type', [
    briefEvent,
    messageEvent,
    deltaEvent,
    questionEvent,
    proposalEvent,
    researchEvent,
    toolEvent,
    turnEvent,
    errorEvent,
    invitedEvent,
    artifactEvent,
    endedEvent,
  ])
  .meta({
    id: 'StandupEvent',
    examples: [
      {
        id: 4711,
        type: 'message',
        created_at: '2026-11-16T09:30:00.000Z',
        message_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        role: 'assistant',
        content: 'Since Monday four tickets were done.',
        author: null,
        interrupted: false,
      },
    ],
  })

export type StandupEvent = z.infer<typeof standupEvent>
export type StandupEventType = StandupEvent['type']
