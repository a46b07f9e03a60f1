import { isIP } from 'node:net'
import { delimiter } from 'node:path'
import { z } from 'zod'
import { Secret } from '#kernel/log'

/**
 * Every variable Signalbox reads, with its default and meaning. `signalbox config` prints this table.
 * An empty value counts as unset.
 */
const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, `give a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `give a whole number from ${minimum} to ${maximum}`)

const address = z
  .string()
  .refine(
    isHttpAddress,
    'give an http or https address without user and password, such as https://example.com',
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))

const networkList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every(isNetwork),
    'give addresses or networks such as 10.0.0.0/8, separated by commas',
  )

const addressList = z
  .string()
  .refine(
    (text) => text.split(',').every((part) => isHttpAddress(part.trim())),
    'give http or https addresses without user and password, separated by commas',
  )
  // A runtime's address is often given with the /v1 that OpenAI clients want.
  .transform((text) =>
    text
      .split(',')
      .map((part) =>
        part
          .trim()
          .replace(/(?<!\/)\/+$/, '')
          .replace(/\/v1$/, ''),
      )
      .join(','),
  )

const pathList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .flatMap((part) => part.split(delimiter))
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((parts) => parts.length > 0, `give paths of folders, separated by ${delimiter} or commas`)

const secret = z.string().transform((text) => new Secret(text))
const flag = z.enum(['0', '1'], 'give 1 for yes or 0 for no').transform((text) => text === '1')
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `give one of ${values.join(', ')}`)

export const roles = ['gateway', 'embeddings', 'platform', 'watcher'] as const

const roleList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(oneOf(roles), `give a comma list of ${roles.join(', ')}`).min(1))
  .transform((list) => new Set(list))

const masterKey = z
  .string()
  .refine(
    (text) => Buffer.from(text, 'base64').length === 32,
    'give 32 bytes in base64 (openssl rand -base64 32)',
  )
  .transform((text) => new Secret(text))

const databaseUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'give postgres://user:password@host:5432/database',
  )
  .transform((text) => new Secret(text))

const mailServer = z
  .string()
  .refine(
    (text) => /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '',
    'give smtp://user:password@host:587, or smtps:// for TLS from the start',
  )
  .transform((text) => new Secret(text))

const sender = z
  .string()
  .regex(
    /^(?:[^<>"\r\n]{0,200}<[^\s<>@,;]{1,64}@[^\s<>@,;]{1,255}>|[^\s<>@,;]{1,64}@[^\s<>@,;]{1,255})$/,
    'give one email address, or a name and an address as in Signalbox <signalbox@example.com>',
  )

const headerList = z
  .string()
  .refine(
    (text) => text.split(',').every(isHeader),
    'give name=value, separated by commas, with values encoded as in an address',
  )
  .transform((text) => new Secret(text))

const databases = z
  .string()
  .transform((text, context) => {
    const parsed = parseJsonObject(text)
    if (parsed) return parsed
    context.addIssue({ code: 'custom', message: 'give a JSON object, name to connection string' })
    return z.NEVER
  })
  .pipe(z.record(z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), secret))

export const variables = {
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: integer(0, 65_535).prefault('8000').describe('port to listen on; 0 takes a free one'),
  DATA_DIR: z.string().default('./data').describe('embedded database, journal, master key file'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe('an external PostgreSQL, 15 or newer; unset: an embedded PostgreSQL 18'),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'the same database without a pooler in between; needed where DATABASE_URL leads to PgBouncer in transaction mode',
    ),
  DATABASE_POOL_SIZE: integer(2, 1_000)
    .prefault('10')
    .describe('database connections per process for requests; background work and locks have as many each'),
  DATABASE_QUERY_TIMEOUT_MS: integer(1_000, 3_600_000)
    .prefault('60000')
    .describe('a connection whose query gets no response for this long is closed'),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(1_000, 3_600_000)
    .prefault('30000')
    .describe('how long one database statement of a request may take'),
  MASTER_KEY: masterKey
    .optional()
    .describe('base64, 32 bytes: wraps the data keys of the key store; unset: DATA_DIR/master.key'),
  PREVIOUS_MASTER_KEY: masterKey
    .optional()
    .describe('the former MASTER_KEY, until signalbox keys rotate-master has run'),
  AUTH: oneOf(['auto', 'required', 'local']).default('auto').describe('who is let in without signing in'),
  GROUP_CREATORS: oneOf(['owners', 'everyone'])
    .default('owners')
    .describe('who may create groups: the owners of the first group, or everyone who can sign in'),
  PUBLIC_URL: address.optional().describe('the address users see, behind a proxy'),
  TRUSTED_PROXIES: networkList
    .optional()
    .describe('proxies whose X-Forwarded-For names the client: addresses and networks, separated by commas'),
  WORKERS: integer(1, 64).prefault('1').describe('processes that share the port'),
  ROLES: roleList.prefault(roles.join(',')).describe('parts of Signalbox that this process runs'),
  MAX_BODY_BYTES: integer(1024, 1_073_741_824).prefault('33554432').describe('largest request body'),
  BODY_BUDGET_BYTES: integer(1024, 1_099_511_627_776)
    .prefault('50331648')
    .describe(
      'memory per process for request bodies above 128 KiB that are in progress at the same time; at least MAX_BODY_BYTES',
    ),
  MAX_STREAMS: integer(1, 1_000_000)
    .prefault('4000')
    .describe('streams of server-sent events that are open in a process at the same time'),
  MAX_STREAMS_PER_GROUP: integer(1, 1_000_000).prefault('1000').describe('those of one group in a process'),
  MAX_STREAMS_PER_PERSON: integer(1, 1_000_000)
    .prefault('100')
    .describe('those of one person, with all their API keys, in a process'),
  MAX_STREAMS_PER_KEY: integer(1, 1_000_000).prefault('100').describe('those of one API key in a process'),
  MAX_WEBSOCKETS: integer(1, 1_000_000)
    .prefault('1000')
    .describe('WebSocket connections that are open in a process at the same time'),
  MAX_WEBSOCKETS_PER_KEY: integer(1, 1_000_000).prefault('100').describe('those of one API key in a process'),
  WEBSOCKET_IDLE_MS: integer(100, 86_400_000)
    .prefault('600000')
    .describe('a WebSocket connection on which nothing is asked for so long is closed'),
  WEBSOCKET_MAX_AGE_MS: integer(100, 86_400_000)
    .prefault('3600000')
    .describe('a WebSocket connection is closed after this time, when its response has ended'),
  WEBSOCKET_MEMORY_BYTES: integer(0, 1_099_511_627_776)
    .prefault('67108864')
    .describe('memory per process for conversations over WebSocket connections'),
  RECEIVE_TIMEOUT_MS: integer(100, 3_600_000)
    .prefault('20000')
    .describe(
      'how long request headers may take, and how long a body may arrive at less than 1 KiB per second',
    ),
  SPOOL_MAX_BYTES: integer(1_048_576, 1_099_511_627_776)
    .prefault('2147483648')
    .describe('disk space for uploads whose model is not known yet; one group gets half of it'),
  DRAIN_DELAY_MS: integer(0, 600_000)
    .optional()
    .describe(
      'how long requests are still accepted after SIGTERM, while /readyz returns 503 already; unset: 5000, or 0 in local mode',
    ),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000)
    .prefault('30000')
    .describe('how long running requests may finish after SIGTERM and DRAIN_DELAY_MS'),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('minimum severity to log'),
  SLOW_REQUEST_MS: integer(0, 3_600_000)
    .prefault('1000')
    .describe('requests that the server itself took longer for are logged with where the time went; 0: none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe(
      'a collector of traces by OTLP over HTTP, such as http://127.0.0.1:4318; /v1/traces is appended; unset: no traces',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headerList
    .optional()
    .describe('headers for the collector, such as its key: name=value, separated by commas'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .max(200)
    .default('signalbox')
    .describe('name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9}|0\.0{1,9})$/, 'give a share from 0 to 1, such as 0.1')
    .transform(Number)
    .prefault('1')
    .describe('share of the requests that are traced, where their callers do not say whether they are'),
  LOG_FORMAT: oneOf(['auto', 'pretty', 'json'])
    .default('auto')
    .describe('auto: pretty on a terminal, json elsewhere'),
  SESSION_SECRET: secret
    .optional()
    .describe(
      'signs session cookies; unset: one that is kept in the database, sealed, and shared by all replicas',
    ),
  OIDC_ISSUER: address.optional().describe('OpenID Connect issuer for single sign-on'),
  OIDC_CLIENT_ID: z.string().optional().describe('client id at the issuer'),
  OIDC_CLIENT_SECRET: secret.optional().describe('client secret at the issuer'),
  OIDC_NAME: z.string().default('Single sign-on').describe('label of the sign-in button'),
  OIDC_AUTO_JOIN: oneOf(['admin', 'member', 'viewer'])
    .optional()
    .describe('role in the first group for new OIDC users; unset: they must be invited'),
  ANTHROPIC_BASE_URL: address.default('https://api.anthropic.com').describe('upstream address'),
  OPENAI_BASE_URL: address.default('https://api.openai.com/v1').describe('upstream address'),
  GEMINI_BASE_URL: address.default('https://generativelanguage.googleapis.com').describe('upstream address'),
  PERPLEXITY_BASE_URL: address.default('https://api.perplexity.ai').describe('upstream address'),
  PERPLEXITY_API: oneOf(['agent', 'sonar']).default('agent').describe('which Perplexity API to call'),
  OPENROUTER_BASE_URL: address.default('https://openrouter.ai/api/v1').describe('upstream address'),
  ANTHROPIC_API_KEY: secret.optional().describe('added to the key store at first start'),
  OPENAI_API_KEY: secret.optional().describe('added to the key store at first start'),
  GEMINI_API_KEY: secret.optional().describe('added to the key store at first start'),
  PERPLEXITY_API_KEY: secret.optional().describe('added to the key store at first start'),
  OPENROUTER_API_KEY: secret.optional().describe('added to the key store at first start'),
  UPSTREAM_PRIVATE: flag
    .prefault('0')
    .describe(
      '1: custom providers, databases that admins add, services with health checks and notification channels may be in private networks',
    ),
  REQUEST_TIMEOUT_MS: integer(1, 3_600_000)
    .prefault('120000')
    .describe(
      'time to response headers, between stream chunks, and for the client of a stream to read what waits for it',
    ),
  UNSUPPORTED_PARAMS: oneOf(['drop', 'refuse'])
    .default('drop')
    .describe(
      'settings that the requested model cannot take: left out and listed in x-signalbox-dropped, or refused with 400',
    ),
  USAGE_LOG_RETENTION_DAYS: integer(1, 36_500)
    .optional()
    .describe('days to keep the usage log; unset: forever'),
  MODEL_SYNC_HOURS: integer(0, 8_760)
    .prefault('24')
    .describe(
      'hours after which the list of models of a provider in use is fetched again; 0: only on request, also for a new key',
    ),
  WEBHOOK_RETENTION_DAYS: integer(1, 36_500)
    .prefault('30')
    .describe('days to keep what webhooks delivered, to show and replay it'),
  SMTP_URL: mailServer
    .optional()
    .describe('the mail server for notifications, such as smtps://user:password@mail.example.com:465'),
  SMTP_FROM: sender
    .optional()
    .describe('the sender of notifications by email, such as Signalbox <signalbox@example.com>'),
  PAGERDUTY_URL: address
    .default('https://events.pagerduty.com')
    .describe('address of the Events API of PagerDuty; /v2/enqueue is appended'),
  JOURNAL_FSYNC: oneOf(['group', 'always'])
    .default('group')
    .describe('group: the usage journal reaches the disk every 100 ms; always: with each record'),
  JOURNAL_MAX_BYTES: integer(1_048_576, 1_099_511_627_776)
    .prefault('4294967296')
    .describe('maximum size of the usage journal while the database is unavailable'),
  JOURNAL_FULL: oneOf(['refuse', 'serve'])
    .default('refuse')
    .describe('what happens to requests that cannot be recorded in the usage journal'),
  API_CALL_EVENTS_PER_SECOND: integer(0, 100_000)
    .prefault('100')
    .describe(
      'maximum api_call events per second for the console; above it they are sampled, the usage log never is',
    ),
  CONSOLE_RETENTION_DAYS: integer(1, 400)
    .prefault('30')
    .describe('days to keep console events; their counts by hour are kept for a year'),
  RUNTIME: oneOf(['auto', 'ollama', 'openai', 'builtin'])
    .default('auto')
    .describe('what makes embeddings; auto: the runtime at RUNTIME_URL if it holds the model, else built in'),
  RUNTIME_URL: addressList
    .default('http://127.0.0.1:11434')
    .describe('local model runtimes, a comma list of addresses'),
  RUNTIME_API_KEY: secret.optional().describe('sent to the runtimes as a bearer token'),
  EMBEDDING_MODEL: z
    .string()
    .default('nomic-embed-text')
    .describe('embedding model of the runtime, or the folder of an ONNX model'),
  EMBEDDING_CONTEXT: integer(16, 131_072)
    .prefault('2048')
    .describe('maximum tokens per text; longer texts are truncated. The built-in model takes 8192'),
  EMBEDDING_TIMEOUT_MS: integer(1, 3_600_000)
    .prefault('60000')
    .describe('how long a runtime may take for one batch'),
  EMBEDDING_CACHE_BYTES: integer(0, 17_179_869_184)
    .prefault('16777216')
    .describe('memory for recently used vectors'),
  MODEL_DIR: z
    .string()
    .optional()
    .describe('where signalbox models pull puts models; unset: DATA_DIR/models'),
  MODEL_SOURCE_URL: address
    .default('https://huggingface.co')
    .describe('where signalbox models pull fetches them: Hugging Face or a mirror of it'),
  TRANSCRIPTS_DIR: pathList
    .optional()
    .describe(
      "home folders or assistants' folders to watch, separated by the path delimiter or commas; unset: the home folder of the process",
    ),
  TRANSCRIPTS_MACHINE: z
    .string()
    .max(200, 'give at most 200 characters')
    .optional()
    .describe('name of this machine in the archive of sessions; unset: the host name'),
  SIGNALBOX_API_KEY: secret.optional().describe('the API key that signalbox watch and signalbox mcp send'),
  AGENT_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe(
      "the model of agents without one of their own, in groups that set none; unset: the newest capable model of the group's providers",
    ),
  STANDUP_MODEL: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      "the model of stand-ups, in groups that set none; unset: the newest capable model of the group's providers",
    ),
  STANDUP_WEB_MODEL: z
    .string()
    .min(1)
    .max(300)
    .default('sonar-pro')
    .describe(
      'a model that searches the web, for the research of stand-ups in groups that have a key for it',
    ),
  STANDUP_MAX_COST: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, 'give an amount such as 2 or 0.50')
    .default('2')
    .describe('US dollars that one stand-up may cost'),
  STANDUP_MAX_TOKENS: integer(1_000, 1_000_000_000)
    .prefault('2000000')
    .describe('tokens that one stand-up may use, for models without a known price'),
  AGENT_MAX_RUNS: integer(1, 1_000)
    .prefault('20')
    .describe('runs of agents at the same time, in all processes together; further ones are queued'),
  AGENT_MAX_SECONDS: integer(1, 86_400)
    .prefault('600')
    .describe('how long a run of an agent may take, without the time in which it waits for people'),
  AGENT_MAX_STEPS: integer(1, 1_000).prefault('50').describe('calls of the model in one run of an agent'),
  AGENT_MAX_TOKENS: integer(1, 1_000_000_000)
    .prefault('500000')
    .describe('tokens that one run of an agent may use'),
  AGENT_MAX_COST: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/, 'give an amount of US dollars such as 2 or 0.50')
    .transform(Number)
    .refine((amount) => amount > 0, 'give more than 0')
    .prefault('2')
    .describe('what one run of an agent may cost, in US dollars; checked between calls of the model'),
  AGENT_RUN_RETENTION_DAYS: integer(1, 36_500)
    .prefault('90')
    .describe('days to keep ended runs of agents with their events'),
  TRANSCRIPTS_REDACT: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: what looks like a key in a session is stored as it is'),
  TRANSCRIPTS_SUMMARY_MODEL: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      'a model of the gateway that writes the summaries of sessions; unset: they are made without one',
    ),
  DATABASES: databases
    .optional()
    .describe('further databases of the SQL proxy: JSON object, name to connection string'),
  SQL_POOL_SIZE: integer(1, 100)
    .prefault('5')
    .describe('connections of the SQL proxy to each database, for reading and for writing each'),
  SQL_TIMEOUT_MS: integer(100, 3_600_000)
    .prefault('30000')
    .describe('how long one statement of the SQL proxy may run'),
}

function isHeader(text: string): boolean {
  const [, value] = /^\s*[\w!#$&'*+.^`|~-]+=(.*)$/.exec(text) ?? []
  try {
    return value !== undefined && /^[\x20-\x7e]*$/.test(decodeURIComponent(value))
  } catch {
    return false
  }
}

function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
}

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
