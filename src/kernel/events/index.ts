import type { Log } from '#kernel/log'

/**
 * Everything worth telling that can happen, in one list. Features emit; the console, metrics and the
 * log listen. An event never holds a secret: keys go by id, name and suffix.
 */
export interface EventMap {
  'api_key.created': Actor & { keyId: string; name: string }
  'api_key.changed': Actor & { keyId: string; name: string }
  'api_key.revoked': Actor & { keyId: string; name: string }
  'group.created': Actor & { name: string }
  'group.renamed': Actor & { name: string }
  'group.deleted': Actor & { name: string }
  'member.invited': Actor & { email: string | null; role: string }
  'member.joined': Actor & { email: string; role: string }
  'member.role_changed': Actor & { memberId: string; role: string }
  'member.removed': Actor & { memberId: string }
  /** Every request that the gateway took, at its end. */
  'request.settled': Actor & SettledRequest
  /** The same for the console: sampled when there are many. */
  api_call: Actor & ApiCall
  'provider_account.created': ByPersonOrKey & ProviderAccountNames
  'provider_account.changed': ByPersonOrKey & ProviderAccountNames
  'provider_account.deleted': ByPersonOrKey & ProviderAccountNames
  'provider_key.added': ByPersonOrKey & ProviderKeyNames
  'provider_key.default_set': ByPersonOrKey & ProviderKeyNames
  'provider_key.activated': ByPersonOrKey & ProviderKeyNames
  'provider_key.deactivated': ByPersonOrKey & ProviderKeyNames
  'provider_key.deleted': ByPersonOrKey & ProviderKeyNames
  'provider_key.revealed': ByPersonOrKey & ProviderKeyNames
  /** A group's own price was set, or ended so that the listed one counts again. */
  'price.changed': ByPersonOrKey & { modelId: string; change: 'set' | 'ended' }
  /** Of the whole installation, so of no group. */
  'vault.master_key_rotated': { groupId: null; by: null; masterKeyId: string; rewrapped: number }
}

interface RequestInShort {
  requestId: string
  apiKeyId: string | null
  provider: string | null
  model: string
  statusCode: number
  durationMs: number
  promptTokens: number
  completionTokens: number
  /** US dollars as decimal text; null where no price is known. */
  cost: string | null
}

export interface SettledRequest extends RequestInShort {
  providerKeyId: string | null
  endpoint: string
  isStream: boolean
  errorMessage: string | null
  ttftMs: number | null
  usage: object | null
  usageSource: string
}

export interface ApiCall extends RequestInShort {
  severity: 'info' | 'error'
  title: string
  message: string
  /** How many requests this event tells of: itself and those like it that were passed over. */
  standsFor: number
}

/** Where it happened and who did it; null when the system itself did. */
export interface Actor {
  groupId: string
  by: string | null
}

/** An API key may act without a person behind it; then it is the one to be named. */
interface ByPersonOrKey extends Actor {
  apiKeyId: string | null
}

interface ProviderAccountNames {
  accountId: string
  providerId: string
  name: string
}

interface ProviderKeyNames extends ProviderAccountNames {
  keyId: string
  suffix: string
}

export type EventName = keyof EventMap
export type EventRecord<N extends EventName = EventName> = {
  [K in N]: { event: K; at: Date } & EventMap[K]
}[N]

export interface Events {
  emit<N extends EventName>(name: N, detail: EventMap[N]): void
  /** Whether anybody listens: what happens thousands of times a second is put into words only then. */
  isHeard(name: EventName): boolean
  /** Listens to one kind of event, or to all with `*` but those excepted. Returns the way to stop. */
  on<N extends EventName>(
    name: N | '*',
    listener: (event: EventRecord<N>) => void,
    options?: { except?: readonly EventName[] },
  ): () => void
}

interface Listener {
  hears(name: EventName): boolean
  tell(event: never): void
}

export function createEvents(log: Log): Events {
  const listeners = new Set<Listener>()
  return {
    emit(name, detail) {
      const event = { ...detail, event: name, at: new Date() }
      for (const listener of listeners) {
        if (!listener.hears(name)) continue
        try {
          listener.tell(event as never)
        } catch (error) {
          // What happened has happened: a listener's trouble must not reach the one who did it.
          log.error({ error, event: name }, 'an event listener failed')
        }
      }
    },
    isHeard(name) {
      for (const listener of listeners) if (listener.hears(name)) return true
      return false
    },
    on(name, tell, { except = [] } = {}) {
      const hears = (told: EventName): boolean =>
        name === '*' ? !except.includes(told) : told === (name as EventName)
      const listener: Listener = { hears, tell }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Every request has a log line already, so its events are logged for debugging only. */
export function logEvents(events: Events, log: Log): void {
  const ofRequests: EventName[] = ['request.settled', 'api_call']
  const except = log.isLevelEnabled('debug') ? [] : ofRequests
  events.on(
    '*',
    ({ at: _at, ...event }) => log[ofRequests.includes(event.event) ? 'debug' : 'info'](event, 'event'),
    { except },
  )
}
