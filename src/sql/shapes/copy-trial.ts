import { z } from 'zod'
import { time } from './fields.ts'

const lock = z.object({ relation: z.string(), mode: z.string() })

export const copyStep = z.object({
  sql: z.string(),
  duration_ms: z
    .number()
    .nullable()
    .meta({ description: 'On the copy, which has no rows. Null: not reached.' }),
  locks: z.array(lock).meta({ description: 'What this statement locks that none before it did.' }),
  rewritten: z.array(z.string()).meta({ description: 'Tables whose files it rewrites.' }),
  scanned: z.array(z.string()).meta({ description: 'Tables that it reads as a whole.' }),
  estimate_ms: z.number().nullable().meta({
    description:
      'An estimate of its time on the real tables, from their size and a rate measured on the copy. Null where the size says nothing about it, as for changes of rows.',
  }),
  error: z.string().nullable(),
})

export const copyTrial = z
  .object({
    tried_at: time,
    ok: z.boolean().meta({ description: 'Whether every statement ran.' }),
    statements: z.array(copyStep),
    locked: z
      .array(lock.extend({ estimate_ms: z.number().nullable(), rows: z.int(), bytes: z.int() }))
      .meta({ description: 'For how long each real table would be locked, as an estimate, and its size.' }),
    left_out: z
      .array(z.object({ what: z.string(), error: z.string() }))
      .meta({ description: 'Objects of the schema that could not be copied.' }),
    objects: z.int().meta({ description: 'How many objects were copied.' }),
    duration_ms: z.number(),
  })
  .meta({ id: 'SqlCopyTrial' })

export type CopyStep = z.infer<typeof copyStep>
export type CopyTrial = z.infer<typeof copyTrial>
