import { requestUuid } from '#kernel/uuid'

/** The first and the last id, both included. */
export interface Ids {
  first: string
  last: string
}

/** Eight digits are the requests of one minute; fewer could be those of a year. */
const isStartOfId = /^(req_)?[0-9a-f]{8}[0-9a-f-]*$/i

/** The ids that begin so; undefined when no id can. */
export function idsOf(text: string): Ids | undefined {
  const start = text.trim()
  const hex = start.replace(/^req_/i, '').replaceAll('-', '').toLowerCase()
  if (!isStartOfId.test(start) || hex.length > 32) return undefined
  return { first: requestUuid(`req_${hex.padEnd(32, '0')}`), last: requestUuid(`req_${hex.padEnd(32, 'f')}`) }
}
