import type { NamedRoute, RouteCondition, RouteTarget, Strategy } from '#gateway/contract'
import type { RouteFields } from './route-queries.ts'

type Choice = '' | 'yes' | 'no'

/** A target as the form holds it. */
export interface TargetDraft {
  /** For the list on the page only. */
  id: number
  model: string
  key: string
  weight: string
  least: string
  most: string
  tools: Choice
  images: Choice
  price: string
}

/** A route as the form holds it; times are seconds. */
export interface RouteDraft {
  name: string
  description: string
  strategy: Strategy
  targets: readonly TargetDraft[]
  attempts: string
  timeout: string
  firstToken: string
}

let lastId = 0

export const newTarget = (): TargetDraft => ({
  id: ++lastId,
  model: '',
  key: '',
  weight: '1',
  least: '',
  most: '',
  tools: '',
  images: '',
  price: '',
})

export const newRoute = (): RouteDraft => ({
  name: '',
  description: '',
  strategy: 'order',
  targets: [newTarget(), newTarget()],
  attempts: '',
  timeout: '',
  firstToken: '',
})

/** The number of attempts stays empty where it is the one that the server chooses itself. */
export function draftOf(route: NamedRoute): RouteDraft {
  const usual = Math.min(10, route.targets.length + 1)
  return {
    name: route.name,
    description: route.description,
    strategy: route.strategy,
    targets: route.targets.map(targetDraft),
    attempts: route.attempts === usual ? '' : String(route.attempts),
    timeout: seconds(route.timeout_ms),
    firstToken: seconds(route.first_token_timeout_ms),
  }
}

function targetDraft({ model, provider_key_id: key, weight, when = {} }: RouteTarget): TargetDraft {
  return {
    ...newTarget(),
    model,
    key: key ?? '',
    weight: String(weight ?? 1),
    least: String(when.min_input_tokens ?? ''),
    most: String(when.max_input_tokens ?? ''),
    tools: choiceOf(when.tools),
    images: choiceOf(when.images),
    price: String(when.max_input_price_per_1m ?? ''),
  }
}

/** Rows that were left empty are left out. */
export function bodyOf(draft: RouteDraft): RouteFields {
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    strategy: draft.strategy,
    targets: filled(draft).map((target) => targetOf(target, draft.strategy)),
    attempts: draft.attempts.trim() === '' ? null : Number(draft.attempts),
    timeout_ms: milliseconds(draft.timeout),
    first_token_timeout_ms: milliseconds(draft.firstToken),
  }
}

export const filled = ({ targets }: Pick<RouteDraft, 'targets'>): TargetDraft[] =>
  targets.filter(({ model }) => model.trim() !== '')

function targetOf(target: TargetDraft, strategy: Strategy): RouteTarget {
  const when = conditionOf(target)
  return {
    model: target.model.trim(),
    ...(target.key === '' ? {} : { provider_key_id: target.key }),
    ...(strategy === 'weighted' ? { weight: Number(target.weight) } : {}),
    ...(Object.keys(when).length === 0 ? {} : { when }),
  }
}

export function conditionOf({ least, most, tools, images, price }: TargetDraft): RouteCondition {
  return {
    ...(least.trim() === '' ? {} : { min_input_tokens: Number(least) }),
    ...(most.trim() === '' ? {} : { max_input_tokens: Number(most) }),
    ...(tools === '' ? {} : { tools: tools === 'yes' }),
    ...(images === '' ? {} : { images: images === 'yes' }),
    ...(price.trim() === '' ? {} : { max_input_price_per_1m: price.trim() }),
  }
}

/** The list with one target at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const target = list[from]
  if (target === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, target)
}

const choiceOf = (value: boolean | undefined): Choice => (value === undefined ? '' : value ? 'yes' : 'no')
const seconds = (ms: number | null): string => (ms === null ? '' : String(ms / 1000))
const milliseconds = (text: string): number | null =>
  text.trim() === '' ? null : Math.round(Number(text) * 1000)
