export const dayMs = 86_400_000

export function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}

/** A date as in a query, `2026-11-15`, at its first moment in UTC. */
export const dayOf = (text: string): Date => new Date(`${text}T00:00:00Z`)

export const dayText = (at: Date): string => at.toISOString().slice(0, 10)

/** The first day of the month. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))

export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))

/** The first month that begins here or later. */
export const monthFrom = (at: Date): Date => (monthOf(at) < at ? nextMonth(at) : at)

const hourMs = dayMs / 24

export const startOfHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

/** The first day and the first hour that begin here or later. */
export const dayFrom = (at: Date): Date => new Date(Math.ceil(at.getTime() / dayMs) * dayMs)
export const hourFrom = (at: Date): Date => new Date(Math.ceil(at.getTime() / hourMs) * hourMs)
