import { createHmac } from 'node:crypto'
import { markOf } from '../../bench/ledger/load.ts'

/** What people and programs ask of the product all the time, and how it is seen afterwards that nothing was lost. */
export interface Feature {
  name: string
  clients: number
  /** Between two requests of a client. */
  pauseMs: number
  request(n: number): { path: string; json: object }
  /** Besides the key. */
  headers?(body: string): Record<string, string>
  /** The id of what was accepted. */
  idOf(n: number, answer: Answer): string
  /** A query for the ids of all that is kept; none where the response is all there is. */
  kept?: string
}

interface Answer {
  ids?: string[]
  id?: string
  audit_id?: string
  run_id?: string
  message_id?: string
  embedding?: number[]
}

/** Of the webhook that the house has. */
export const hookSecret = 'chaos-hook-secret'
/** Of the initiative whose stand-up is open. */
export const initiative = 'chaos'

const hookTicket = { title: 'From a webhook', status: 'open' }

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const claudeLine = (n: number): string =>
  JSON.stringify({
    type: 'user',
    uuid: uuidOf(n),
    parentUuid: null,
    sessionId: uuidOf(n),
    timestamp: new Date().toISOString(),
    cwd: '/home/dev/shop',
    message: { role: 'user', content: `Prompt ${n}` },
  })

export const features: Feature[] = [
  {
    name: 'chat completions',
    clients: 4,
    pauseMs: 20,
    request: (n) => ({
      path: '/v1/chat/completions',
      json: {
        model: 'gpt-6-sol',
        stream: n % 2 === 0,
        metadata: { n: String(n) },
        messages: [{ role: 'user', content: markOf(n) }],
      },
    }),
    idOf: String,
    kept: `select metadata ->> 'n' as id from usage.usage_logs where metadata ? 'n'`,
  },
  {
    name: 'events',
    clients: 2,
    pauseMs: 50,
    request: (n) => ({
      path: '/api/console/events',
      json: { type: 'sync', severity: 'info', service: 'chaos', title: `Event ${n}` },
    }),
    idOf: (_, { ids }) => ids?.[0] ?? '',
    kept: 'select id::text from console.events',
  },
  {
    name: 'tickets',
    clients: 1,
    pauseMs: 100,
    request: (n) => ({ path: '/api/tickets', json: { title: `Ticket ${n}` } }),
    idOf: (_, { id }) => id ?? '',
    kept: 'select id::text from records.tickets',
  },
  {
    name: 'SQL statements',
    clients: 1,
    pauseMs: 200,
    request: (n) => ({
      path: '/api/v1/sql/execute',
      json: { database: 'application', sql: `select ${n} as n`, reason: 'under load' },
    }),
    idOf: (_, { audit_id }) => audit_id ?? '',
    kept: `select attempt_id::text as id from sql.audit where status = 'executed'`,
  },
  {
    name: 'lines of transcripts',
    clients: 1,
    pauseMs: 200,
    request: (n) => {
      const line = claudeLine(n)
      return {
        path: '/api/transcripts/ingest',
        json: {
          ...{ machine: 'laptop', assistant: 'claude-code', root: '/home/dev/.claude', generation: 0 },
          ...{ path: `projects/-home-dev-shop/${uuidOf(n)}.jsonl`, from: 0, to: Buffer.byteLength(line) + 1 },
          ...{ identity: null, lines: [line] },
        },
      }
    },
    idOf: uuidOf,
    kept: 'select external_id as id from transcripts.sessions',
  },
  {
    name: 'runs of an agent',
    clients: 1,
    pauseMs: 4_000,
    request: (n) => ({ path: '/api/agents/chaos/ask', json: { request: `Say ${n}` } }),
    idOf: (_, { run_id }) => run_id ?? '',
    kept: 'select id::text from agents.runs',
  },
  {
    name: 'webhooks',
    clients: 1,
    pauseMs: 200,
    request: (n) => ({
      path: '/api/webhooks/generic',
      json: { kind: 'ticket', id: `chaos-${n}`, ...hookTicket, changed_at: new Date().toISOString() },
    }),
    headers(body) {
      const now = String(Math.floor(Date.now() / 1_000))
      const signature = createHmac('sha256', hookSecret).update(`${now}.${body}`).digest('hex')
      return { 'x-signalbox-timestamp': now, 'x-signalbox-signature': `sha256=${signature}` }
    },
    idOf: (_, { id }) => id ?? '',
    kept: `select id::text from webhooks.deliveries where status = 'processed'`,
  },
  {
    name: 'messages in a stand-up',
    clients: 1,
    pauseMs: 4_000,
    request: (n) => ({
      path: `/api/initiatives/${initiative}/standup/message`,
      json: { content: `Message ${n}` },
    }),
    idOf: (_, { message_id }) => message_id ?? '',
    kept: `select data ->> 'message_id' as id from standups.events where type = 'message'`,
  },
  {
    name: 'embeddings',
    clients: 1,
    pauseMs: 200,
    request: (n) => ({ path: '/api/v1/embed', json: { text: `Text ${n}` } }),
    idOf(n, { embedding }) {
      if (embedding?.length !== 768) throw new Error(`${embedding?.length} numbers`)
      return String(n)
    },
  },
]
