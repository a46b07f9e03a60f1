import { z } from 'zod'
import { fields } from '#records/contract'

export const questionCategories = ['direction', 'priority', 'clarification', 'approval'] as const
export const questionCategory = z.enum(questionCategories)

export const questionBody = z
  .strictObject({ text: fields.line(2_000), category: questionCategory })
  .meta({ examples: [{ text: 'Do we keep guest checkout?', category: 'direction' }] })

export const questionChange = z
  .strictObject({
    text: fields.line(2_000),
    category: questionCategory,
    answer: fields.line(4_000).nullable().meta({ description: 'Null opens the question again.' }),
  })
  .partial()
  .meta({ examples: [{ answer: 'Yes, for this year' }] })

export const question = z
  .object({
    id: z.uuid(),
    text: z.string(),
    category: questionCategory,
    answer: z.string().nullable(),
    answered_at: fields.time.nullable(),
    created_at: fields.time,
  })
  .meta({
    id: 'OpenQuestion',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        text: 'Do we keep guest checkout?',
        category: 'direction',
        answer: null,
        answered_at: null,
        created_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  })

export type Question = z.infer<typeof question>
export type QuestionInput = z.infer<typeof questionBody>
export type QuestionChange = z.infer<typeof questionChange>
