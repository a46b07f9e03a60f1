export const earliest = (...times: readonly (Date | null | undefined)[]): Date =>
  new Date(Math.min(...times.filter((time) => time instanceof Date).map((time) => time.getTime())))

export const latest = (...times: readonly Date[]): Date => new Date(Math.max(...times.map(Number)))

/** The date of a time that was sent; null and undefined stay. */
export const dateOf = <T extends null | undefined>(text: string | T): Date | T =>
  typeof text === 'string' ? new Date(text) : text
