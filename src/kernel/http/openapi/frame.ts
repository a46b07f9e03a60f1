import type { Components, JsonSchema } from './json-schema.ts'
import type { Operation } from './operation.ts'

export interface ApiDocument {
  openapi: string
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, object> }
}

const description = `The API of this Signalbox server.

**Authentication.** Send an API key as \`Authorization: Bearer sb-…\`. The dashboard uses a session cookie. In local mode, the owner of the machine needs neither, but the owner token: programs send the content of \`DATA_DIR/owner.token\` as \`X-Owner-Token\`, and browsers get it by the link that the terminal prints. Without one of the three the response is a 401, also from the same machine; the gateway's routes take API keys only.

**Gateway.** Point an OpenAI or Anthropic client at this server: \`/v1/chat/completions\`, \`/v1/responses\` and \`/v1/messages\` reach every provider.

**Errors.** The body is \`{ "error": { "message", "type", "param", "code" } }\`, except on \`/v1/messages\` and \`/v1/messages/count_tokens\`, which return errors as Anthropic does: \`{ "type": "error", "error": { "type", "message" }, "request_id" }\`. Every response has the header \`X-Request-ID\`. The page docs/errors.md lists every code, when it happens and what to do next.

**Groups.** A key acts in its own group. A person in several groups chooses one by \`group_id\` in the query, or in a body that has the field, or by the header \`X-Group-ID\`.`

/** In the order in which the page shows them; a tag that no route uses is left out. */
const tags: Readonly<Record<string, string>> = {
  Gateway:
    'Chat, responses, messages and transcription through every provider, in the format of your client.',
  Models: 'The models that the group can use, and custom providers.',
  Routes: 'Names of a group for models: what a request by such a name tries, in which order, and why.',
  Embeddings: 'Vectors of texts, by the built-in model or a runtime of yours.',
  Search: 'Find what Signalbox holds, by meaning and by words.',
  Console: 'Events of all services: send, list, search, count and stream them.',
  Transcripts: 'Sessions of coding assistants: list, read, search and export them; what watchers send.',
  Usage: 'The request log, its totals and the cost of every request.',
  Services: 'Services, their health checks and incidents, and the public status page.',
  Records: 'Deployments, tickets, devlogs, skills and learnings.',
  Prices: 'What models cost: listed, synchronized and custom prices.',
  Analytics: 'How deployments, tickets, health and devlogs are going.',
  Agents: 'Agents, what they may do, and every version of that.',
  Initiatives:
    'What the team wants to reach: criteria with confidence, findings, questions, decisions and documents.',
  Links: 'What belongs together: why something happened, what it caused, and what work cost.',
  'Stand-ups': 'Conversations with an agent about an initiative; what it drafts is saved by approval only.',
  SQL: 'Statements on your databases, judged by the policy of an agent: execute, approve, audit.',
  MCP: 'The tools of Signalbox for assistants that speak the Model Context Protocol.',
  Notifications: 'The bell, and the channels that a group is notified by.',
  Limits: 'Budgets and limits of a group, and what is used of them.',
  Alerts: 'What a group wants to be notified of: spend, providers, services, and whatever waits or failed.',
  Webhooks: 'What GitHub, GitLab, Alertmanager, Grafana and your own programs send.',
  Providers: 'Accounts and keys at the providers.',
  'API keys': 'Keys that clients send to Signalbox.',
  Groups: 'Groups, their members and invitations.',
  People: 'Who is signed in, and what they may do.',
  'Sign-in': 'Sessions for the dashboard.',
  Server: 'Health, metrics and this document.',
}

export const tagNames = Object.keys(tags)

/** Everything in the document but the operations. */
export function documentFrame(
  version: string,
  paths: ApiDocument['paths'],
  { schemas, responses }: Components,
): ApiDocument {
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.tags)),
  )
  const known = tagNames.filter((name) => used.has(name))
  const names = [...known, ...[...used].filter((name) => !(name in tags))]
  const frame = {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox API',
      version,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: names.map((name) => ({ name, ...(tags[name] !== undefined && { description: tags[name] }) })),
    paths,
    components: { schemas, responses, headers, securitySchemes },
  }
  return frame
}

const headers = {
  RequestId: {
    description: 'The ID of the request, in the log and in the usage log.',
    schema: { type: 'string' },
    example: 'req_0198c0de7a3b7c1d9e2f5a6b7c8d9e0f',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt. Present where it is known.',
    schema: { type: 'string' },
    example: '2',
  },
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A Signalbox API key: `sb-…`.' },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A Signalbox API key, as Anthropic clients send it.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'signalbox.session_token',
    description: 'The session of the dashboard; over HTTPS the name begins with `__Secure-`.',
  },
  ownerToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Owner-Token',
    description:
      'The content of `DATA_DIR/owner.token`: makes a request from the same machine the local owner’s, where sign-in is not required.',
  },
}
