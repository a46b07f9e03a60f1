import { z } from 'zod'
import { exampleRequest, isPlain, maxId } from './thing.ts'

/** What work cost, in four layers. Browser-safe. */

export const costTypes = ['ticket', 'pull_request', 'initiative', 'person', 'project'] as const
export type CostType = (typeof costTypes)[number]

export const costType = z
  .enum(costTypes)
  .meta({ description: 'What kind of thing the cost is of.', examples: ['pull_request'] })
export const costId = z
  .string()
  .min(1)
  .max(maxId)
  .refine(isPlain, 'must be plain text')
  .meta({
    description:
      'The ID of the thing; of a project the folder that its sessions began in. Without it: all things of the type.',
    examples: [exampleRequest],
  })

const money = (description: string) => z.string().meta({ description, examples: ['0.4213'] })
const count = z.int().meta({ minimum: 0, examples: [3] })

const layers = {
  exact: money('Requests that an ID or a person says were made for this one thing.'),
  inferred: money('Requests that belong to it by a branch, a folder or a time.'),
  shared: money('Its part of requests that were made for several things.'),
}

const counts = {
  total: money('The sum of the layers, in US dollars.'),
  rework: money('What of the total was spent after a deployment of it had failed.'),
  sessions: count.meta({ description: 'Sessions, runs and stand-ups that have requests.' }),
  requests: count,
}

export const costRow = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  ...layers,
  ...counts,
})

export const cost = z
  .object({
    ...layers,
    unattributed: money('Without an ID: the rest of the usage log, so that the four layers are all of it.'),
    ...counts,
    data: z
      .array(costRow)
      .optional()
      .meta({ description: 'Without an ID: each thing, the dearest first; at most 500.' }),
  })
  .meta({
    id: 'CostOfWork',
    examples: [
      {
        exact: '0.4213',
        inferred: '0.1',
        shared: '0.05',
        unattributed: '0',
        total: '0.5713',
        rework: '0',
        sessions: 3,
        requests: 41,
      },
    ],
  })

export type Cost = z.infer<typeof cost>
export type CostRow = z.infer<typeof costRow>
