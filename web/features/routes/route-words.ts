import type { RouteCondition, Strategy } from '#gateway/contract'

export const strategyWords: Record<Strategy, { label: string; hint: string }> = {
  order: { label: 'In order', hint: 'The first target that fits; the next one when it fails.' },
  weighted: {
    label: 'By weight',
    hint: 'Each gets its share of the conversations; the others when it fails.',
  },
  least_busy: { label: 'Least busy', hint: 'The target with the fewest requests under way.' },
  cheapest: { label: 'Cheapest', hint: 'By list price, three parts read and one written.' },
}

const count = new Intl.NumberFormat('en')

/** "up to 100,000 tokens", "with tools": what a target wants of a request. */
export function conditionWords(when: RouteCondition | undefined): string[] {
  if (!when) return []
  const {
    max_input_tokens: most,
    min_input_tokens: least,
    tools,
    images,
    max_input_price_per_1m: price,
  } = when
  return [
    ...(least === undefined ? [] : [`from ${count.format(least)} tokens`]),
    ...(most === undefined ? [] : [`up to ${count.format(most)} tokens`]),
    ...(tools === undefined ? [] : [tools ? 'with tools' : 'without tools']),
    ...(images === undefined ? [] : [images ? 'with images' : 'without images']),
    ...(price === undefined ? [] : [`while it costs at most $${price} per 1M`]),
  ]
}
