export const expiryChoices = ['never', '7', '30', '90', '365', 'date'] as const
export type ExpiryChoice = (typeof expiryChoices)[number]

export interface Expiry {
  choice: ExpiryChoice
  /** A day as the date input gives it, used when the choice is `date`. */
  date: string
}

/** When a key stops working, or null for never. A chosen day counts to its end in the user's time zone. */
export function expiresAt({ choice, date }: Expiry, now: number): string | null {
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(now + Number(choice) * 86_400_000).toISOString()
}

export function expiryProblem({ choice, date }: Expiry, now: number): string | undefined {
  if (choice !== 'date') return undefined
  const end = Date.parse(`${date}T23:59:59`)
  if (Number.isNaN(end)) return 'Choose the last day the key works.'
  return end <= now ? 'This date is in the past.' : undefined
}

/** What the form shows for an existing key. */
export function expiryOf(moment: string | null): Expiry {
  if (moment === null) return { choice: 'never', date: '' }
  const day = new Date(moment)
  const pad = (part: number) => String(part).padStart(2, '0')
  return { choice: 'date', date: `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}` }
}
