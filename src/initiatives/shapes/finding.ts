import { z } from 'zod'
import { fields } from '#records/contract'

export const findingBody = z
  .strictObject({
    text: fields.line(4_000),
    source: fields.line(300).default('a person').meta({ description: 'Where it comes from.' }),
    url: fields.line(2_000).nullable().optional(),
  })
  .meta({ examples: [{ text: 'A third of the carts are abandoned at the address', source: 'Analytics' }] })

export const finding = z
  .object({
    id: z.uuid(),
    text: z.string(),
    source: z.string(),
    url: z.string().nullable(),
    created_at: fields.time,
  })
  .meta({
    id: 'Finding',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        text: 'A third of the carts are abandoned at the address',
        source: 'Analytics',
        url: null,
        created_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export type Finding = z.infer<typeof finding>
export type FindingInput = z.infer<typeof findingBody>
