import { addressReader, day, text, word, type AddressOf, type Search } from '../../ui/address.ts'

export const ranges = ['day', 'week', 'month'] as const
export type Range = (typeof ranges)[number]

const read = addressReader({
  start_date: day,
  end_date: day,
  model: text,
  provider: text,
  api_key_id: text,
  range: word(ranges),
})
export type UsageAddress = AddressOf<typeof read>

/** Two dates make a custom range; a single date is ignored. */
export function readUsageAddress(search: Search): UsageAddress {
  const { start_date, end_date, range, ...rest } = read(search)
  if (start_date !== undefined && end_date !== undefined && start_date <= end_date)
    return { ...rest, start_date, end_date }
  return range ? { ...rest, range } : rest
}
