import { z } from 'zod'
import { fields } from '#records/contract'
import { questionCategory } from '#initiatives/contract'

const listed = z.object({ id: z.uuid(), title: z.string(), url: z.string(), at: fields.time })

/** What moved since the last stand-up. Read by Signalbox from its records when the stand-up starts, not by a model. */
export const brief = z.object({
  since: fields.time.nullable().meta({
    description:
      'The end of the last stand-up; null: this is the first, and what came since the initiative was created counts.',
  }),
  criteria: z.array(
    z.object({
      id: z.uuid(),
      text: z.string(),
      confidence: z.int().nullable(),
      before: z.int().nullable().meta({ description: 'The confidence at the last stand-up.' }),
      updated_at: fields.time,
      is_stale: z.boolean().meta({ description: 'Nobody has confirmed it for 14 days.' }),
    }),
  ),
  tickets: z.object({
    open: z.int(),
    done: z.int().meta({ description: 'Done since then.' }),
    created: z.int().meta({ description: 'Created since then.' }),
    recent: z.array(listed).meta({ description: 'The newest of those that were done.' }),
  }),
  deployments: z.object({ succeeded: z.int(), failed: z.int(), recent: z.array(listed) }).meta({
    description: 'Deployments of the group since then.',
  }),
  devlogs: z.object({ count: z.int(), recent: z.array(listed) }).meta({
    description: 'Devlogs of the group since then.',
  }),
  decisions: z.array(listed).meta({ description: 'Decided since then.' }),
  findings: z.array(
    z.object({
      id: z.uuid(),
      text: z.string(),
      source: z.string(),
      url: z.string().nullable(),
      is_new: z.boolean(),
    }),
  ),
  open_questions: z.array(z.object({ id: z.uuid(), text: z.string(), category: questionCategory })),
})

export type Brief = z.infer<typeof brief>
