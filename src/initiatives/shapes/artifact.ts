import { z } from 'zod'
import { fields } from '#records/contract'

export const artifactTypes = ['meeting_notes', 'decision_record', 'criteria_update'] as const
export const artifactType = z.enum(artifactTypes)

export const artifact = z
  .object({
    id: z.uuid(),
    type: artifactType,
    title: z.string(),
    content: z.string().meta({ description: 'Markdown.' }),
    standup_id: z.uuid().nullable(),
    approved_by: z.string().nullable(),
    approved_at: fields.time,
  })
  .meta({
    id: 'Artifact',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        type: 'meeting_notes',
        title: 'Stand-up of 16 November 2026',
        content: '## Discussed\n',
        standup_id: null,
        approved_by: 'ada',
        approved_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export type Artifact = z.infer<typeof artifact>
