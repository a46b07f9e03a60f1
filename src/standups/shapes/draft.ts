import { z } from 'zod'
import { fields } from '#records/contract'

export const draftStatuses = ['draft', 'approved', 'rejected'] as const
export const draftTypes = ['meeting_notes', 'decision_record', 'criteria_update'] as const

export const draftExample = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  type: 'meeting_notes',
  title: 'Stand-up of 16 November 2026',
  content: '## Summary\n',
  status: 'draft',
  proposal_id: null,
  is_proposal: false,
  edited: false,
  settled_by: null,
  settled_at: null,
  reason: null,
  created_at: '2026-11-16T09:30:00.000Z',
}

/** A document that waits for a person. */
export const draft = z
  .object({
    id: z.uuid(),
    type: z.enum(draftTypes),
    title: z.string(),
    content: z.string().meta({ description: 'Markdown; of an approved one, as it was approved.' }),
    status: z.enum(draftStatuses),
    proposal_id: z.uuid().nullable().meta({ description: 'The proposal that it was made from.' }),
    is_proposal: z.boolean().meta({
      description: 'Nobody accepted it in the stand-up. The person who approves it decides.',
    }),
    edited: z.boolean().meta({ description: 'Whether a person changed the draft when approving it.' }),
    settled_by: z.string().nullable().meta({ description: 'Who approved or rejected it.' }),
    settled_at: fields.time.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was rejected.' }),
    created_at: fields.time,
  })
  .meta({
    id: 'StandupArtifact',
    examples: [draftExample],
  })

export type Draft = z.infer<typeof draft>
