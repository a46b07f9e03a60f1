import { z } from 'zod'

/** Who is behind a statement or a run: the person, and the run of an agent with what it was asked for. */
export const askedBy = z
  .object({
    user: z
      .object({ id: z.uuid(), name: z.string(), email: z.string() })
      .nullable()
      .meta({ description: 'The person who asked, or who made the key that asked.', examples: [null] }),
    agent_id: z
      .string()
      .nullable()
      .meta({ examples: ['data-engineer'] }),
    agent_version: z
      .int()
      .nullable()
      .meta({ description: 'The version of the agent in that run.', examples: [3] }),
    run_id: z.uuid().nullable().meta({ description: 'Null where no run of an agent asked.' }),
    request: z
      .string()
      .nullable()
      .meta({
        description: 'What the run was asked for, cut at 2,000 characters.',
        examples: ['Remove the test customers'],
      }),
  })
  .meta({ id: 'AskedBy' })

export type AskedBy = z.infer<typeof askedBy>
/** As it is stored, beside the agent of the row. */
export type Asker = Omit<AskedBy, 'agent_id'>

/** `asker` is null in rows from before it was kept. */
export const askedOf = (asker: Asker | null, agent_id: string | null): AskedBy => ({
  ...(asker ?? nobody),
  agent_id,
})

export const nobody: Asker = { user: null, agent_version: null, run_id: null, request: null }

export const cutRequest = (text: string): string =>
  text.length <= 2_000 ? text : `${text.slice(0, 1_999).toWellFormed()}…`
