import { z } from 'zod'

/** What the usage log and the transcripts have in common, and what only one of them has. Browser-safe. */

/** Requests of the log: also in a transcript, or why not. */
export const parts = [
  ...(['in_both', 'side_calls', 'failed', 'no_transcript', 'no_session', 'own_work'] as const),
] as const
export type Part = (typeof parts)[number]
export const reasons = ['side_calls', 'failed', 'no_transcript', 'no_session', 'own_work'] as const
export type Reason = (typeof reasons)[number]

const dollars = (description: string) => z.string().meta({ description, examples: ['12.5'] })
const count = (description: string) => z.int().meta({ description, minimum: 0, examples: [128] })
const day = z.string().meta({ format: 'date', examples: ['2026-11-01'] })

const sums = {
  gateway: dollars('The usage log, in US dollars: `in_both` and `gateway_only` together.'),
  in_both: dollars('Requests that a response in a transcript accounts for.'),
  gateway_only: dollars('All other requests; `gateway_only_reasons` says why.'),
  transcripts_only_estimated: dollars(
    'An estimate: responses in transcripts that did not come through the gateway, by the list price of their model. Not part of `gateway`.',
  ),
}

const reason = z.object({ requests: count('Requests.'), cost: dollars('What they cost.') })

export const statement = z
  .object({
    from: day,
    to: day.meta({ description: 'The last day, included.' }),
    time_zone: z.string().meta({ description: 'Whose days these are.', examples: ['Europe/Berlin'] }),
    totals: z.object({
      ...sums,
      requests: count('Requests in the usage log.'),
      responses_past_gateway: count('Responses that only transcripts have.'),
      unpriced_responses: count(
        'Those of them whose model has no known price: they are not in the estimate.',
      ),
    }),
    gateway_only_reasons: z
      .object({
        side_calls: reason.meta({
          description:
            'Of a session in the archive, and no message accounts for it: titles, compactions, retries.',
        }),
        failed: reason.meta({
          description: 'Of a session in the archive: refused, failed, or the client disconnected.',
        }),
        no_transcript: reason.meta({
          description: 'Of a session that is not in the archive: no watcher runs on the machine.',
        }),
        no_session: reason.meta({
          description: 'Without the ID of a session: programs, scripts, the playground.',
        }),
        own_work: reason.meta({ description: 'Of runs of agents and stand-ups in Signalbox.' }),
      })
      .meta({ description: 'They add up to `gateway_only`.' }),
    days: z.array(z.object({ date: day, ...sums })).meta({ description: 'Every day of the period.' }),
    people: z
      .array(
        z.object({
          id: z.uuid().nullable().meta({ description: 'Null: nobody is known.' }),
          name: z
            .string()
            .nullable()
            .meta({ description: 'Null where it is not known.', examples: ['Ada'] }),
          ...sums,
        }),
      )
      .meta({
        description: 'Whose key it was, or whose key the watcher of the machine has; the dearest first.',
      }),
    is_complete: z.boolean().meta({ description: 'False while older usage is still being counted.' }),
  })
  .meta({ id: 'Statement' })

export type Statement = z.infer<typeof statement>
export type StatementSums = Pick<Statement['totals'], keyof typeof sums>
