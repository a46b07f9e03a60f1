import type { SpendDimension } from '#usage/contract'
import { addressReader, day, text, word, type AddressOf, type Search } from '../../ui/address.ts'

export const ranges = ['day', 'week', 'month'] as const
export type Range = (typeof ranges)[number]

/** What spend can be split by. Written out: the contract would bring its schemas into the first page. */
export const splits: readonly (SpendDimension | 'group')[] = [
  ...(['api_key', 'person', 'provider_key', 'route', 'tag', 'user', 'model', 'provider', 'group'] as const),
]

const read = addressReader({
  start_date: day,
  end_date: day,
  model: text,
  provider: text,
  api_key_id: text,
  range: word(ranges),
  /** What spend is split by; `group`: the groups that the reader owns. */
  by: word(splits),
})
export type UsageAddress = AddressOf<typeof read>

/** Two dates make a custom range; a single date is ignored. */
export function readUsageAddress(search: Search): UsageAddress {
  const { start_date, end_date, range, ...rest } = read(search)
  if (start_date !== undefined && end_date !== undefined && start_date <= end_date)
    return { ...rest, start_date, end_date }
  return range ? { ...rest, range } : rest
}
