import { Fault, faults } from '#kernel/errors'
import type { Account } from './account.ts'
import type { KnownLimit } from './limit.ts'
import { laterSeconds, rateHeaders, secondsTo } from './rate-headers.ts'
import { shown, written } from './units.ts'

/** Clients wait this long at most before they try again by themselves. */
const soonSeconds = 60
/** Running requests give back what they do not use. */
const busySeconds = 2

/** The 429 of a limit that is reached. `isBusy`: by requests that run, so that it may have room in a moment. */
export function exceeded(account: Account, isBusy: boolean): Fault {
  const { limit, span } = account
  const seconds = isBusy || limit.window === null ? busySeconds : secondsTo(span.endsAt)
  const kind = limit.metric === 'cost' ? faults.budgetExceeded : faults.limitExceeded
  return new Fault(kind, `${sentence(account, isBusy)} ${advice(limit)}`, {
    limit: fieldsOf(account),
    headers: {
      'retry-after': String(seconds),
      ...(seconds > soonSeconds && { 'x-should-retry': 'false' }),
      ...rateHeaders([account]),
    },
  })
}

/** A model whose cost nobody knows, under a limit of cost. */
export function unpriced(account: Account, model: string): Fault {
  const seconds = laterSeconds
  return new Fault(
    faults.budgetExceeded,
    `The model ${model} has no known price, and ${nameOf(account.limit)} does not allow such models. Set a price on the page Models, or "unpriced": "allow" for the limit.`,
    {
      limit: fieldsOf(account),
      headers: { 'retry-after': String(seconds), 'x-should-retry': 'false', ...rateHeaders([account]) },
    },
  )
}

/** The database is unavailable, the share of this process is used up, and the limit says `refuse`. */
export function notCounted({ limit }: Account): Fault {
  return new Fault(
    faults.unavailable,
    `${capital(nameOf(limit))} cannot be counted now, because the database is unavailable. Try again in a moment. With "on_outage": "allow" the limit lets requests through meanwhile.`,
    { headers: { 'retry-after': '5' } },
  )
}

function sentence({ limit, span, usedByAll, taken }: Account, isBusy: boolean): string {
  const { metric, amount } = limit
  const name = capital(nameOf(limit))
  if (metric === 'concurrent') return `${name} is reached: ${written(metric, amount)} are running.`
  const ofAmount = `${written(metric, usedByAll)} of ${written(metric, amount)}`
  if (isBusy)
    return `${name} has no room now: ${ofAmount} are used, and running requests have reserved ${written(metric, taken - usedByAll)}.`
  // LangChain's client does not try again where it reads the last words.
  const end = span.endsAt === null ? 'It does not reset.' : `It will reset at ${span.endsAt.toISOString()}.`
  return `${name} is ${metric === 'cost' ? 'spent' : 'reached'}: ${ofAmount} are used. ${end}`
}

const advice = ({ metric }: KnownLimit): string =>
  metric === 'concurrent'
    ? 'Wait until one has ended, or ask an admin of the group to raise the limit.'
    : 'An admin of the group can raise it on the page Limits.'

const metricNames = {
  cost: 'budget',
  tokens: 'limit of tokens',
  requests: 'limit of requests',
  concurrent: 'limit of requests at the same time',
}

const windowNames = {
  minute: 'per minute',
  hour: 'per hour',
  day: 'of the day',
  week: 'of the week',
  month: 'of the month',
  total: 'in total',
}

/** For the caller, unless it says whose limit it is. */
export function nameOf({ metric, window, subject }: KnownLimit, whose = forCaller(subject)): string {
  return `the ${metricNames[metric]}${window === null ? '' : ` ${windowNames[window]}`} for ${whose}`
}

function forCaller({ type, id }: KnownLimit['subject']): string {
  const of = { group: 'the group', api_key: 'this API key', user: 'this user' } as Record<string, string>
  return of[type] ?? `the ${type} ${id}`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function fieldsOf({ limit, span, usedByAll, reserved }: Account) {
  const { id, subject, metric, amount } = limit
  const used = metric === 'concurrent' ? reserved : usedByAll
  return {
    ...{ id, subject, metric },
    amount: shown(metric, amount),
    used: shown(metric, used),
    resets_at: span.endsAt?.toISOString() ?? null,
  }
}

export const warningHeader = 'x-signalbox-limit-warning'

/** For the header: the subject may have any characters and is left out. */
export function warning({ limit, span, usedByAll }: Account): string {
  const { id, metric, amount } = limit
  const end = span.endsAt ? `, resets at ${span.endsAt.toISOString()}` : ''
  return `limit ${id}: ${written(metric, usedByAll)} of ${written(metric, amount)} used${end}`
}
