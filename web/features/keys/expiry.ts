import { endOfDay, inputTime } from '../../ui/input-time.ts'

export const expiryChoices = ['never', '7', '30', '90', '365', 'date'] as const
export type ExpiryChoice = (typeof expiryChoices)[number]

export interface Expiry {
  choice: ExpiryChoice
  /** A day as the date input gives it, used when the choice is `date`. */
  date: string
}

/** When a key stops working, or null for never. A chosen day counts to its end in the time zone of the page. */
export function expiresAt({ choice, date }: Expiry, now: number): string | null {
  if (choice === 'never') return null
  if (choice === 'date') return endOfDay(date) ?? null
  return new Date(now + Number(choice) * 86_400_000).toISOString()
}

export function expiryProblem({ choice, date }: Expiry, now: number): string | undefined {
  if (choice !== 'date') return undefined
  const end = endOfDay(date)
  if (end === undefined) return 'Choose the last day the key works.'
  return Date.parse(end) <= now ? 'This date is in the past.' : undefined
}

/** What the form shows for an existing key. */
export function expiryOf(moment: string | null): Expiry {
  if (moment === null) return { choice: 'never', date: '' }
  return { choice: 'date', date: inputTime(moment).slice(0, 10) }
}
