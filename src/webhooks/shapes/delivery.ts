import { z } from 'zod'
import { time } from './fields.ts'
import { hookKind } from './hook.ts'

export const deliveryStatuses = ['pending', 'processed', 'ignored', 'failed'] as const
const status = z.enum(deliveryStatuses).meta({
  description:
    '`processed`: records were updated. `ignored`: stored, but nothing follows from it. `failed`: replay it. `pending`: being processed.',
})
export type DeliveryStatus = z.infer<typeof status>

const reason = z
  .string()
  .nullable()
  .meta({ description: 'Why it was ignored or failed.', examples: ['The event "star" is not used.'] })

/** The response to a sender. */
export const deliveryResult = z
  .object({
    id: z.uuid(),
    status,
    reason,
    duplicate: z
      .boolean()
      .meta({ description: 'True: this was delivered before, and nothing was done again.' }),
  })
  .meta({ id: 'WebhookResult' })

const deliveryFields = {
  id: z.uuid(),
  hook_id: z.uuid(),
  kind: hookKind,
  event: z
    .string()
    .nullable()
    .meta({ examples: ['deployment_status'] }),
  external_id: z
    .string()
    .nullable()
    .meta({ description: "The sender's ID of the delivery, where it has one.", examples: [null] }),
  status,
  reason,
  attempts: z.int().meta({ examples: [1] }),
  size_bytes: z.int().meta({ examples: [7_342] }),
  received_at: time,
  processed_at: time.nullable(),
}

export const delivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' })
export const deliveryDetail = z
  .object({
    ...deliveryFields,
    content_type: z.string().meta({ examples: ['application/json'] }),
    body: z.string().meta({ description: 'As it was received.', examples: ['{"action":"created"}'] }),
  })
  .meta({ id: 'WebhookDeliveryDetail' })

export type Delivery = z.infer<typeof delivery>
export type DeliveryDetail = z.infer<typeof deliveryDetail>
export type DeliveryResult = z.infer<typeof deliveryResult>
