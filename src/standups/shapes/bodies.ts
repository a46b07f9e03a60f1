import { z } from 'zod'
import { decisionContent, confidence } from '#initiatives/contract'
import { fields } from '#records/contract'
import { draft } from './draft.ts'

export const maxMessage = 65_536

export const messageBody = z
  .strictObject({ content: fields.line(maxMessage) })
  .meta({ examples: [{ content: 'Do we keep guest checkout?' }] })
export const messageAccepted = z.object({ message_id: z.uuid() })

export const researchBody = z
  .strictObject({ query: fields.line(2_000) })
  .meta({ examples: [{ query: 'guest checkout' }] })

export const endBody = z
  .strictObject({
    generate_artifacts: z.boolean().default(true).meta({ description: 'False: nothing is drafted.' }),
  })
  .meta({ examples: [{ generate_artifacts: true }] })
export const ended = z.object({
  session_id: z.uuid(),
  status: z.literal('ended'),
  artifacts: z.array(draft),
})

/** What a person changes of a proposal; fields of the other kind are refused. */
const { title, decision } = decisionContent
const text = fields.anyText(20_000)
export const proposalEdit = z
  .strictObject({
    title,
    context: text,
    options: z.array(fields.line(4_000)).max(20),
    decision,
    rationale: text,
    consequences: text,
    confidence,
  })
  .partial()
  .meta({ examples: [{ confidence: 60, rationale: 'The load test was on small carts only' }] })

export const rejectBody = z
  .strictObject({ reason: fields.line(4_000).optional() })
  .meta({ examples: [{ reason: 'Not decided yet' }] })

export const approveBody = z
  .strictObject({
    title: fields.line(300).optional(),
    content: fields
      .line(100_000)
      .optional()
      .meta({
        description:
          'The edited Markdown. A decision record keeps its headings and a confidence change its first line: ' +
          'what they say is what is recorded.',
      }),
    expected_confidence: confidence.nullable().optional().meta({
      description:
        'The confidence that the criterion has now. Needed for a change of confidence where it is no longer what it was when the change was proposed.',
    }),
  })
  .meta({ examples: [{ content: '## Summary\n\nGuest checkout stays.' }] })

export type ProposalEdit = z.infer<typeof proposalEdit>
export type ApproveBody = z.infer<typeof approveBody>
export type Ended = z.infer<typeof ended>
