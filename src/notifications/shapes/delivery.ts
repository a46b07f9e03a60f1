import { z } from 'zod'
import { time } from './fields.ts'
import { notificationSeverity, notificationState } from './notification.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const
export const deliveryStatus = z.enum(deliveryStatuses)
export type DeliveryStatus = z.infer<typeof deliveryStatus>

/** One try to deliver a message. */
export const deliveryTry = z
  .object({
    at: time,
    ok: z.boolean(),
    status_code: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Null where no response came.', examples: [204] }),
    error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the response, masked.', examples: ['ok'] }),
    duration_ms: z
      .number()
      .int()
      .meta({ examples: [84] }),
  })
  .meta({ id: 'DeliveryTry' })
export type Try = z.infer<typeof deliveryTry>

export const delivery = z
  .object({
    id: z.uuid().meta({ description: 'Sent as `x-signalbox-delivery`; the same with every try.' }),
    channel_id: z.uuid(),
    status: deliveryStatus,
    is_test: z.boolean(),
    notifications: z.array(
      z.object({
        id: z.uuid(),
        kind: z.string().meta({ examples: ['service_down'] }),
        severity: notificationSeverity,
        state: notificationState,
        title: z.string().meta({ examples: ['checkout is down'] }),
      }),
    ),
    tries: z.array(deliveryTry),
    due_at: time.nullable().meta({ description: 'When the next try is due; null where there is none.' }),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'ChannelDelivery' })
export type Delivery = z.infer<typeof delivery>

export const testResult = z
  .object({ delivery_id: z.uuid(), ...deliveryTry.shape })
  .meta({ id: 'ChannelTestResult' })
export type TestResult = z.infer<typeof testResult>
