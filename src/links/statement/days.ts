import { sql } from 'kysely'
import { invalidField } from '#kernel/errors'
import type { Queries } from '../tables.ts'
import type { Days } from './read-store.ts'

/** Days that somebody asks for, of the group's time zone. */
export interface GivenDays {
  from?: string | undefined
  to?: string | undefined
}

const dayMs = 86_400_000
const usualDays = 30
const maxDays = 366

const after = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
const lengthOf = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

/** Without days the last 30, today included. */
export async function spanOf(db: Queries, { from, to }: GivenDays, wanted: string | null): Promise<Days> {
  const timeZone = await knownZone(db, wanted ?? 'UTC')
  const last = to ?? new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
  const first = from ?? after(last, 1 - usualDays)
  if (first > last) throw invalidField('to', 'must not be before from')
  if (lengthOf(first, last) > maxDays) throw invalidField('from', `must be at most ${maxDays} days before to`)
  return { from: first, to: last, timeZone }
}

export const daysIn = ({ from, to }: Days): string[] =>
  Array.from({ length: lengthOf(from, to) }, (_, n) => after(from, n))

/** The database may know fewer zones than Node does. */
async function knownZone(db: Queries, timeZone: string): Promise<string> {
  try {
    await sql`select now() at time zone ${timeZone}`.execute(db)
    return timeZone
  } catch (error) {
    if ((error as { code?: string }).code === '22023') return 'UTC'
    throw error
  }
}
