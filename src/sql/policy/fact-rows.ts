import { z } from 'zod'

/** Runs one query on the target database, under the agent's role, and returns its rows. */
export type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>

export const functionRow = z.object({
  schema: z.string(),
  name: z.string(),
  volatility: z.enum(['i', 's', 'v']),
  isSecurityDefiner: z.boolean(),
  language: z.string(),
})
