import { z } from 'zod'
import { isVisible } from '../run/visible.ts'
import { runLimits, waitId } from './run.ts'

/** What people and programs send to runs. Browser-safe. */

export const maxRequest = 100_000
const maxAnswer = 20_000

const words = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .trim()
    .min(1)
    .refine(isVisible, 'must have text that can be seen')
    .meta({ pattern: String.raw`\S`, description: 'What the agent is to do, in plain words.' })

export const askBody = z
  .strictObject({
    request: words(maxRequest),
    limits: z.strictObject(runLimits.shape).partial().optional().meta({
      description: 'Lower limits than those of the server. Higher ones are cut to those of the server.',
    }),
    async: z
      .boolean()
      .default(false)
      .meta({ description: 'True: returns 202 at once. False: returns when the run ended or waits.' }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ request: 'How many orders are there?' }] })

export const continueBody = askBody
  .extend({ request: words(maxAnswer) })
  .meta({ examples: [{ request: 'And how many of them are paid?', async: true }] })

export const assignBody = z
  .strictObject({
    agent_id: z
      .string()
      .max(63)
      .meta({ description: 'The ID of the agent.', examples: ['data-engineer'] }),
    request: words(maxAnswer)
      .optional()
      .meta({ description: 'What to do about it; by default, what the ticket asks for.' }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ agent_id: 'data-engineer' }] })

export const answerBody = z
  .strictObject({
    decision: z.enum(['approve', 'deny']).optional().meta({ description: 'Where the run waits for a tool.' }),
    text: z
      .string()
      .max(maxAnswer)
      .trim()
      .min(1)
      .refine(isVisible, 'must have text that can be seen')
      .optional()
      .meta({ description: 'The answer to a question, or why a tool is denied.' }),
    wait_id: waitId.optional().meta({
      description:
        'The `wait_id` of what is answered. 409 where the run waits for something else by now, which nobody has seen.',
    }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ decision: 'approve' }] })

export type AskBody = z.infer<typeof askBody>
export type ContinueBody = z.infer<typeof continueBody>
export type AssignBody = z.infer<typeof assignBody>
export type AnswerBody = z.infer<typeof answerBody>
