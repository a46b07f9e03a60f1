import { Secret } from '#kernel/log'
import { isSecret, readEnvironment, type Environment } from './environment.ts'
import { variables } from './variables.ts'

/** Settings whose values say nothing about people, places or secrets: numbers, choices and switches. */
const shown = new Set([
  ...['PORT', 'AUTH', 'GROUP_CREATORS', 'WORKERS', 'ROLES', 'LOG_LEVEL', 'LOG_FORMAT', 'RUNTIME'],
  ...['DATABASE_POOL_SIZE', 'DATABASE_QUERY_TIMEOUT_MS', 'DATABASE_STATEMENT_TIMEOUT_MS', 'MAX_BODY_BYTES'],
  ...['BODY_BUDGET_BYTES', 'MAX_STREAMS', 'MAX_STREAMS_PER_GROUP', 'MAX_STREAMS_PER_PERSON'],
  ...['MAX_STREAMS_PER_KEY', 'MAX_WEBSOCKETS', 'MAX_WEBSOCKETS_PER_KEY', 'WEBSOCKET_IDLE_MS'],
  ...['WEBSOCKET_MAX_AGE_MS', 'WEBSOCKET_MEMORY_BYTES', 'RECEIVE_TIMEOUT_MS', 'SPOOL_MAX_BYTES'],
  ...['DRAIN_DELAY_MS', 'SHUTDOWN_TIMEOUT_MS', 'OIDC_AUTO_JOIN', 'UPSTREAM_PRIVATE'],
  ...['REQUEST_TIMEOUT_MS', 'UNSUPPORTED_PARAMS', 'USAGE_LOG_RETENTION_DAYS', 'MODEL_SYNC_HOURS'],
  ...['WEBHOOK_RETENTION_DAYS', 'JOURNAL_FSYNC', 'JOURNAL_MAX_BYTES', 'JOURNAL_FULL'],
  ...['API_CALL_EVENTS_PER_SECOND', 'CONSOLE_RETENTION_DAYS', 'EMBEDDING_CONTEXT', 'EMBEDDING_TIMEOUT_MS'],
  ...['EMBEDDING_CACHE_BYTES', 'AGENT_MAX_RUNS', 'AGENT_MAX_SECONDS', 'AGENT_MAX_STEPS', 'AGENT_MAX_TOKENS'],
  ...['AGENT_MAX_COST', 'AGENT_RUN_RETENTION_DAYS', 'STANDUP_MAX_COST', 'STANDUP_MAX_TOKENS'],
  ...['TRANSCRIPTS_REDACT', 'SQL_POOL_SIZE', 'SQL_TIMEOUT_MS'],
])

export interface SupportSetting {
  name: string
  is_set: boolean
  /** Null where it is not set, or must not be shown. */
  value: string | null
}

export interface SupportSettings {
  settings: SupportSetting[]
  node_options: string | null
  /** What must not be in the bundle, wherever it comes from. Never written. */
  secrets: string[]
}

/** For `signalbox doctor --support`. Settings that are wrong do not stop it: they may be the reason for it. */
export function describeForSupport(environment: Environment = readEnvironment()): SupportSettings {
  const names = Object.keys(variables) as (keyof typeof variables)[]
  return {
    settings: names.map((name) => {
      const given = environment[name] ?? ''
      return { name, is_set: given !== '', value: given === '' ? null : valueOf(name, given) }
    }),
    node_options: environment['NODE_OPTIONS'] ?? null,
    secrets: names
      .filter((name) => isSecret(name) || hidesItself(name, environment[name] ?? ''))
      .flatMap((name) => secretsIn(environment[name] ?? '')),
  }
}

/** A value that is not valid may be anything, a password in the wrong line for example. */
function valueOf(name: keyof typeof variables, given: string): string | null {
  if (!shown.has(name)) return null
  return variables[name].safeParse(given).success ? given : '[not valid]'
}

const hidesItself = (name: keyof typeof variables, given: string): boolean =>
  variables[name].safeParse(given).data instanceof Secret

/** The value, and the passwords of addresses in it, as they are written and as they are meant. */
function secretsIn(value: string): string[] {
  const passwords = [...value.matchAll(/\b\w{1,20}:\/\/[^\s"]+/g)]
    .filter(([address]) => URL.canParse(address))
    .flatMap(([address]) => {
      const { password } = new URL(address)
      return [password, decoded(password)]
    })
  return [value, ...passwords].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
