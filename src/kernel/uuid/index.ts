/** Forms of uuids, and those that carry a time: the ids of requests and events. */

/** In lower or upper case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The smallest uuid of a millisecond: all ids made before it sort below, all others above. */
export function lowestId(at: Date | number): string {
  const hex = Math.max(0, Number(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time that a time-ordered uuid carries. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
