/**
 * Reads single fields of a payload whose shape only its sender guarantees. Everything that is missing or of another
 * type is null, so that a new version of the sender never breaks a delivery.
 */

/** The value at a path such as `deployment.sha`; undefined where the path ends early. */
export function valueAt(payload: unknown, path: string): unknown {
  let value = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

export function textAt(payload: unknown, path: string, maxLength = 200): string | null {
  const value = valueAt(payload, path)
  return typeof value === 'string' ? cleanText(value, maxLength) : null
}

/** IDs are numbers at one sender and strings at another. */
export function idAt(payload: unknown, path: string): string | null {
  const value = valueAt(payload, path)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? cleanText(value, 200) : null
}

export function timeAt(payload: unknown, path: string): Date | null {
  const value = valueAt(payload, path)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const time = typeof value === 'number' ? new Date(value * 1_000) : new Date(isoOf(value))
  // Senders write the year 1 for "not yet".
  return time.getTime() > 0 && time.getTime() < Date.UTC(2100, 0) ? time : null
}

export function arrayAt(payload: unknown, path: string): unknown[] {
  const value = valueAt(payload, path)
  return Array.isArray(value) ? value : []
}

/** An address to show as a link; anything but http and https is left out. */
export function linkAt(payload: unknown, path: string): string | null {
  const text = textAt(payload, path, 2_000)
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. Blank text counts as missing. */
export function cleanText(value: string, maxLength: number): string | null {
  const text = value.replaceAll('\0', '').slice(0, maxLength).toWellFormed().trim()
  return text === '' ? null : text
}

/** Names of services are slugs, so that those of repositories and alerts match the registered ones. */
export function serviceName(name: string | null): string | null {
  const slug = (name ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 63)
  return slug === '' ? null : slug
}

/** GitLab also writes `2021-04-28 21:50:00 +0200` and `2021-04-28 19:50:00 UTC`. */
function isoOf(text: string): string {
  return text.replace(
    /^(\d{4}-\d\d-\d\d) ([\d:.]+) (?:UTC|([+-]\d\d):?(\d\d))$/,
    (_all, day, time, hours, minutes) =>
      hours === undefined ? `${day}T${time}Z` : `${day}T${time}${hours}:${minutes}`,
  )
}
