import type { Log } from '#kernel/log'
import type { Activity } from './activity.ts'

export {
  activityTypes,
  configActivity,
  reportedTypes,
  severities,
  type Activity,
  type ActivityType,
  type Severity,
} from './activity.ts'

/**
 * Every event of the product and its fields. Features emit; the console, metrics and the log listen. An event never
 * contains a secret: keys are identified by id, name and suffix.
 */
export interface EventMap {
  'api_key.created': Actor & { keyId: string; name: string }
  'api_key.changed': Actor & { keyId: string; name: string }
  'api_key.rotated': Actor & { keyId: string; name: string }
  'api_key.revoked': Actor & { keyId: string; name: string }
  'group.created': Actor & { name: string }
  'group.renamed': Actor & { name: string }
  'group.time_zone_changed': Actor & { timeZone: string | null }
  'group.deleted': Actor & { name: string }
  'member.invited': Actor & { email: string | null; role: string }
  'member.joined': Actor & { email: string; role: string }
  'member.role_changed': Actor & { memberId: string; role: string }
  'member.removed': Actor & { memberId: string }
  /** Every request that the gateway accepted, within a second of its end. */
  'request.settled': Actor & SettledRequest
  /** A request for the console; sampled above `API_CALL_EVENTS_PER_SECOND`. */
  api_call: Actor & ApiCall
  'provider_account.created': ByPersonOrKey & ProviderAccountNames
  'provider_account.changed': ByPersonOrKey & ProviderAccountNames
  'provider_account.deleted': ByPersonOrKey & ProviderAccountNames
  'provider_key.added': ByPersonOrKey & ProviderKeyNames
  'provider_key.default_set': ByPersonOrKey & ProviderKeyNames
  'provider_key.activated': ByPersonOrKey & ProviderKeyNames
  'provider_key.deactivated': ByPersonOrKey & ProviderKeyNames
  'provider_key.renamed': ByPersonOrKey & ProviderKeyNames
  'provider_key.pool_changed': ByPersonOrKey & ProviderKeyNames
  'provider_key.replaced': ByPersonOrKey & ProviderKeyNames
  'provider_key.deleted': ByPersonOrKey & ProviderKeyNames
  'provider_key.revealed': ByPersonOrKey & ProviderKeyNames
  /** A group's custom price was set, or ended so that the listed price applies again. */
  'price.changed': ByPersonOrKey & { modelId: string; change: 'set' | 'ended' }
  /** A group's name for models. */
  'route.changed': ByPersonOrKey & { name: string; change: 'created' | 'changed' | 'deleted' }
  /** Something for the console that has no typed event of its own: record changes, health changes, failed jobs. */
  activity: Activity
  /** Concerns the whole installation, so it has no group. */
  'vault.master_key_rotated': { groupId: null; by: null; masterKeyId: string; rewrapped: number }
}

interface RequestSummary {
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

export interface SettledRequest extends RequestSummary {
  /** The person who asked, or whose key did. */
  userId: string | null
  providerKeyId: string | null
  endpoint: string
  isStream: boolean
  errorMessage: string | null
  ttftMs: number | null
  usage: object | null
  usageSource: string
  /** The group's route that the request named. */
  route: string | null
  /** The request's `user`. */
  userLabel: string | null
  /** Of `metadata.tags`; at most ten. */
  tags: readonly string[]
}

export interface ApiCall extends RequestSummary {
  severity: 'info' | 'error'
  title: string
  message: string
  /** How many requests this event represents: itself and the similar ones that the sampler skipped. */
  requestCount: number
}

/** Where it happened and who did it; null when the system itself did. */
export interface Actor {
  groupId: string
  by: string | null
}

/** An API key may act without a user; then the key is recorded. */
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
  /** `at` is when it happened, for events that are emitted later. */
  emit<N extends EventName>(name: N, detail: EventMap[N], at?: Date): void
  /** Lets frequent events be built only when somebody listens. */
  hasListeners(name: EventName): boolean
  /** Listens to one event, or to all with `*` minus the excluded ones. Returns a function that stops listening. */
  on<N extends EventName>(
    name: N | '*',
    listener: (event: EventRecord<N>) => void,
    options?: { except?: readonly EventName[] },
  ): () => void
}

interface Subscription {
  accepts(name: EventName): boolean
  notify(event: never): void
}

export function createEvents(log: Log): Events {
  const subscriptions = new Set<Subscription>()
  /** Who listens to an event, until anybody begins or stops to: every request asks for several events. */
  const listening = new Map<EventName, readonly Subscription[]>()
  function listenersOf(name: EventName): readonly Subscription[] {
    const known = listening.get(name)
    if (known) return known
    const found = [...subscriptions].filter((subscription) => subscription.accepts(name))
    listening.set(name, found)
    return found
  }
  return {
    emit(name, detail, at = new Date()) {
      const event = { ...detail, event: name, at }
      for (const subscription of listenersOf(name)) {
        // An earlier listener may have stopped this one.
        if (!subscriptions.has(subscription)) continue
        try {
          subscription.notify(event as never)
        } catch (error) {
          // The emitter has already done its work, so a listener's failure must not reach it.
          log.error({ error, event: name }, 'an event listener failed')
        }
      }
    },
    hasListeners(name) {
      return listenersOf(name).length > 0
    },
    on(name, notify, { except = [] } = {}) {
      const accepts = (emitted: EventName): boolean =>
        name === '*' ? !except.includes(emitted) : emitted === (name as EventName)
      const subscription: Subscription = { accepts, notify }
      subscriptions.add(subscription)
      listening.clear()
      return () => {
        subscriptions.delete(subscription)
        listening.clear()
      }
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
