import { z } from 'zod'
import { fields } from '#records/contract'

export const linkKinds = ['deployment', 'devlog', 'transcript', 'url'] as const

export const linkBody = z
  .strictObject({
    kind: z.enum(linkKinds).meta({ description: 'Tickets name their initiative themselves.' }),
    target: fields.line(2_000).meta({ description: 'The ID of the record, or an address.' }),
    title: fields.line(300).optional(),
  })
  .refine(({ kind, target }) => (kind === 'url' ? fields.webAddress : z.uuid()).safeParse(target).success, {
    path: ['target'],
    message: 'must be an ID, or for a url an address with http or https',
  })
  .meta({ examples: [{ kind: 'url', target: 'https://example.com/brief', title: 'Brief' }] })

export const link = z
  .object({
    id: z.uuid(),
    kind: z.enum(linkKinds),
    target: z.string(),
    title: z.string(),
    created_at: fields.time,
  })
  .meta({
    id: 'InitiativeLink',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        kind: 'url',
        target: 'https://example.com/brief',
        title: 'Brief',
        created_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export type InitiativeLink = z.infer<typeof link>
export type LinkInput = z.infer<typeof linkBody>
