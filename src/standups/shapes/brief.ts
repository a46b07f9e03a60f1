import { z } from 'zod'
import { fields } from '#records/contract'
import { questionCategory } from '#initiatives/contract'

/** Absent in briefs of earlier versions, which were of the group. */
const scope = z
  .enum(['initiative', 'group'])
  .optional()
  .meta({ description: 'Of what is linked to the initiative; where nothing is, of the whole group.' })

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
  deployments: z
    .object({ scope, succeeded: z.int(), failed: z.int(), recent: z.array(listed) })
    .meta({ description: 'Deployments since then.' }),
  devlogs: z
    .object({ scope, count: z.int(), recent: z.array(listed) })
    .meta({ description: 'Devlogs since then.' }),
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
