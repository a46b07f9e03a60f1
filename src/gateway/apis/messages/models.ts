import { z } from 'zod'
import { invalidField } from '#kernel/errors'
import type { ModelInfo } from '../../provider.ts'

/** A model as the Messages API lists it. */
export const messagesModel = z
  .object({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string(),
    created_at: z.string(),
    /** A provider lists what can be used; the SDK needs the word. */
    lifecycle: z.literal('active'),
    max_input_tokens: z.int().nullable(),
    max_tokens: z.int().nullable(),
  })
  .meta({ id: 'MessagesModel', description: 'A model, for requests with `anthropic-version`.' })

export const messagesModelList = z
  .object({
    data: z.array(messagesModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'MessagesModelList', description: 'Models, for requests with `anthropic-version`.' })

export type MessagesModel = z.infer<typeof messagesModel>

/** Paging of the Messages API. */
export const modelPage = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Models per page, in the format of the Messages API.', examples: [20] }),
  after_id: z.string().max(300).optional().meta({ description: 'The page after this model.' }),
  before_id: z.string().max(300).optional().meta({ description: 'The page before this model.' }),
})

export function toMessagesModel({ id, name, created, contextLength, maxOutput }: ModelInfo): MessagesModel {
  return {
    type: 'model',
    id,
    display_name: name ?? id,
    created_at: new Date((created ?? 0) * 1000).toISOString(),
    lifecycle: 'active',
    max_input_tokens: contextLength,
    max_tokens: maxOutput,
  }
}

/** One page, in the order of the list. */
export function pageOf(models: readonly MessagesModel[], page: z.infer<typeof modelPage>) {
  const { limit = 20, after_id: after, before_id: before } = page
  const from = after === undefined ? 0 : placeOf(models, after, 'after_id') + 1
  const to = before === undefined ? models.length : placeOf(models, before, 'before_id')
  const within = models.slice(from, to)
  // Before an id its neighbours count, not the first of all.
  const data = before !== undefined && after === undefined ? within.slice(-limit) : within.slice(0, limit)
  return {
    data,
    has_more: within.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

function placeOf(models: readonly MessagesModel[], id: string, field: string): number {
  const place = models.findIndex((model) => model.id === id)
  if (place < 0) throw invalidField(field, 'is not the ID of a model in the list')
  return place
}
