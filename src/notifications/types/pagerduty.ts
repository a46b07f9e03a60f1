import { createHash } from 'node:crypto'
import type { Secret } from '#kernel/log'
import type { HttpRequest } from '../deliver/http.ts'
import { cut, type Item, type Message } from '../deliver/message.ts'

const maxSummary = 1_024

/** An event of the Events API v2. The incident of a key is resolved by the same key. */
export function pagerdutyRequest({ items: [item] }: Message, base: string, routingKey: Secret): HttpRequest {
  const body = {
    routing_key: routingKey.reveal(),
    event_action: item.state === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: dedupKeyOf(item),
    client: 'Signalbox',
    client_url: item.url,
    links: [{ href: item.url, text: 'Open in Signalbox' }],
    payload: {
      summary: cut(item.title, maxSummary),
      source: new URL(item.url).host,
      severity: item.severity,
      timestamp: item.at.toISOString(),
      class: item.kind,
      custom_details: { text: item.text, ...item.data },
    },
  }
  return { url: `${base}/v2/enqueue`, headers: {}, body: JSON.stringify(body) }
}

/** At most 255 characters, and not the same for two groups. */
const dedupKeyOf = ({ groupId, key }: Item): string =>
  `signalbox-${createHash('sha256').update(`${groupId} ${key}`).digest('hex')}`
