import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'

/** What limits need of the usage log. */
export interface UsageForLimits {
  /** What tokens cost now, in US dollars per million; null where no price is known. */
  tokenPrice(groupId: string, provider: string, model: string): TokenPrice | null
  /** What requests used, from the log: by when they ended, in steps. */
  spentByEnd(filter: SpentFilter, ended: { from: Date; to: Date; stepMs: number }): Promise<SpentStep[]>
  /** What all requests used that started in a span and ended before a moment. */
  spent(filter: SpentFilter, endedBefore: Date): Promise<Spent>
  /** Each request that used something, oldest first, the newest `most` of them. */
  requests(filter: SpentFilter, most: number): Promise<SpentRequest[]>
  /** Waits until what this process has settled is known to its listeners and in the log, a few seconds at most. */
  caughtUp(): Promise<void>
}

export interface TokenPrice {
  readonly input: string
  readonly output: string
  readonly request: string
}

/** Requests of a group that started in a span, and of some subject. */
export interface SpentFilter {
  readonly groupId: string
  readonly startedFrom: Date
  readonly startedBefore: Date | null
  readonly apiKeyIds?: readonly string[]
  readonly userLabel?: string
  readonly provider?: string
  readonly model?: string
  /** With `%` for any characters. */
  readonly modelLike?: string
  readonly tag?: string
}

export interface Spent {
  /** US dollars. */
  readonly cost: string
  readonly tokens: string
  readonly requests: string
}

export interface SpentStep extends Spent {
  readonly from: Date
}

export interface SpentRequest {
  readonly startedAt: Date
  readonly durationMs: number
  readonly cost: string | null
  readonly tokens: string
}

/** What limits need of people and keys. */
export interface AccessForLimits {
  /** By group; groups without one are left out. */
  timeZones(groupIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  hasKey(groupId: string, keyId: string): Promise<boolean>
  isMember(groupId: string, userId: string): Promise<boolean>
  /** The keys that a person made in a group, revoked ones too. */
  keysOf(groupId: string, userId: string): Promise<readonly string[]>
}

export interface LimitsDeps {
  database: Database
  events: Events
  log: Log
  metrics: Metrics
  usage: UsageForLimits
  access: AccessForLimits
  /** The provider's id for its id or its name in the specification. */
  resolveProvider(groupId: string, word: string): string | undefined
  /** The most tokens that a response of a model has; null where nobody says. */
  maxOutput(groupId: string, provider: string, model: string): number | null
}
