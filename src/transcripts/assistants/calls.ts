import { remember, shortHash } from './record-reader.ts'

/** By the hash of an id that calls have: the record that introduced it, and the newest one that did. */
export type Calls = Record<string, [first: string, newest: string]>

/**
 * What a call is known by: its id, as it is in nearly all sessions. Some models number their calls from one in every
 * response: a call of another record than the first one with its id has a mark behind the id. Where a file has several
 * sessions, `session` is the key of the one that called.
 */
export function callOf(calls: Calls, id: string, record: string, session = ''): string {
  const newest = shortHash(record)
  const [first] = calls[keyOf(id, session)] ?? [newest]
  remember(calls, keyOf(id, session), [first, newest])
  return nameOf(id, first, newest)
}

/** What the call of a result is known by: the newest one with the id. */
export function calledBefore(calls: Calls, id: string, session = ''): string {
  const [first, newest] = calls[keyOf(id, session)] ?? []
  return nameOf(id, first, newest)
}

export function isCalled(calls: Calls, id: string): boolean {
  return calls[keyOf(id, '')] !== undefined
}

const keyOf = (id: string, session: string): string => shortHash(`${session}/${id}`)

function nameOf(id: string, first: string | undefined, newest: string | undefined): string {
  return newest === undefined || newest === first ? id : `${id}~${newest}`
}
