import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** Receivers of notifications as the outside world has them. Each checks what the real one would refuse. */

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  // Tests read messages freely; a wrong guess fails the assertion beside it.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface Reply {
  status: number
  body?: string
  headers?: Record<string, string>
}

export interface Receiver {
  url: string
  /** What it accepted. */
  accepted: Received[]
  /** Everything that came, also what it refused. */
  received: Received[]
  /** These come first, one for each request. */
  next: Reply[]
}

type Judge = (request: Received) => Reply

async function startReceiver(judge: Judge): Promise<Receiver> {
  const receiver: Receiver = { url: '', accepted: [], received: [], next: [] }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const came = { path: request.url ?? '', headers: request.headers, body, json: parse(body) }
      receiver.received.push(came)
      const { status, body: text = '', headers = {} } = receiver.next.shift() ?? judge(came)
      if (status < 300) receiver.accepted.push(came)
      response.writeHead(status, headers).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

const refuse = (body: string): Reply => ({ status: 400, body })

/** Accepts what is signed with the secret. */
export const startWebhookReceiver = (secret: string): Promise<Receiver> =>
  startReceiver(({ headers, body }) => {
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    const given = Buffer.from(String(headers['x-signalbox-signature'] ?? ''))
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
    return isSigned ? { status: 204 } : { status: 401, body: 'wrong signature' }
  })

/** An incoming webhook of Slack: limits of its blocks. */
export const startSlack = (): Promise<Receiver> =>
  startReceiver(({ json, headers }) => {
    if (headers['content-type'] !== 'application/json' || typeof json?.text !== 'string')
      return refuse('invalid_payload')
    const blocks: { type: string; text?: { type: string; text: string } }[] = json.blocks ?? []
    const isValid = blocks.every(({ type, text }) =>
      type === 'section'
        ? text?.type === 'mrkdwn' && text.text.length >= 1 && text.text.length <= 3_000
        : type === 'context',
    )
    return isValid && blocks.length <= 50 ? { status: 200, body: 'ok' } : refuse('invalid_blocks')
  })

/** A webhook of Workflows in Microsoft Teams: one Adaptive Card of at most 28 KB. */
export const startTeams = (): Promise<Receiver> =>
  startReceiver(({ json, body }) => {
    const [card] = json?.attachments ?? []
    const isCard =
      json?.type === 'message' &&
      card?.contentType === 'application/vnd.microsoft.card.adaptive' &&
      card.content?.type === 'AdaptiveCard' &&
      Array.isArray(card.content.body)
    return isCard && body.length <= 28 * 1_024 ? { status: 202 } : refuse('bad card')
  })

export interface PagerDuty extends Receiver {
  /** By their key. */
  incidents: Map<string, 'triggered' | 'resolved'>
}

/** The Events API v2 of PagerDuty. */
export async function startPagerDuty(): Promise<PagerDuty> {
  const incidents: PagerDuty['incidents'] = new Map()
  const receiver = await startReceiver(({ path, json }) => {
    if (path !== '/v2/enqueue') return { status: 404 }
    const { routing_key: key, event_action: action, dedup_key: dedupKey, payload } = json ?? {}
    const isEvent =
      ['trigger', 'resolve'].includes(action) && typeof dedupKey === 'string' && dedupKey.length <= 255
    const isComplete =
      payload?.summary?.length <= 1_024 &&
      typeof payload.source === 'string' &&
      ['critical', 'error', 'warning', 'info'].includes(payload.severity)
    if (typeof key !== 'string' || !isEvent || !isComplete) return refuse('{"status":"invalid event"}')
    incidents.set(dedupKey, action === 'trigger' ? 'triggered' : 'resolved')
    return { status: 202, body: JSON.stringify({ status: 'success', dedup_key: dedupKey }) }
  })
  return Object.assign(receiver, { incidents })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
