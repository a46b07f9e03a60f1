import { z } from 'zod'

/** What a link leads from and to. Browser-safe. */

export const thingTypes = [
  'request',
  'session',
  'commit',
  'pull_request',
  'deployment',
  'incident',
  'service',
  'ticket',
  'run',
  'sql_change',
  'standup',
  'decision',
  'initiative',
] as const
export type ThingType = (typeof thingTypes)[number]

export const maxId = 2_000
export const exampleRequest = 'https://github.com/shop/checkout/pull/7'
export const exampleSha = '9fceb02d0ae598e95dc970b74767f19372d61af8'

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isPlain = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const thingType = z
  .enum(thingTypes)
  .meta({ description: 'What kind of thing it is.', examples: ['pull_request'] })
export const thingId = z
  .string()
  .min(1)
  .max(maxId)
  .refine(isPlain, 'must be plain text')
  .meta({
    description:
      'The ID of the thing. Of a commit: its hash. Of a pull request: the address of its page. Of an initiative: its ID or slug.',
    examples: [exampleRequest],
  })

export const thingRef = z.strictObject({ type: thingType, id: thingId })

export const thing = z
  .object({
    type: thingType,
    id: z.string(),
    title: z.string().meta({ description: 'For people.' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'Where it is shown: a page of the dashboard, or of another tool.' }),
  })
  .meta({
    id: 'LinkedThing',
    examples: [
      {
        type: 'pull_request',
        id: exampleRequest,
        title: 'Round totals to the cent',
        url: exampleRequest,
      },
    ],
  })

export type Thing = z.infer<typeof thing>
export type ThingRef = z.infer<typeof thingRef>
