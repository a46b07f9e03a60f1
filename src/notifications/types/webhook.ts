import { createHmac } from 'node:crypto'
import type { Secret } from '#kernel/log'
import type { HttpRequest } from '../deliver/http.ts'
import type { Message } from '../deliver/message.ts'

/** A signed request for programs. One notification each: the body is an event, not a text. */
export function webhookRequest(
  { deliveryId, items: [item] }: Message,
  url: string,
  secret: Secret,
): HttpRequest {
  const body = JSON.stringify({
    id: item.id,
    alert: item.alertId,
    kind: item.kind,
    severity: item.severity,
    state: item.state,
    title: item.title,
    text: item.text,
    url: item.url,
    group_id: item.groupId,
    at: item.at.toISOString(),
    data: item.data,
  })
  return {
    url,
    headers: {
      'x-signalbox-signature': `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`,
      'x-signalbox-delivery': deliveryId,
    },
    body,
  }
}
