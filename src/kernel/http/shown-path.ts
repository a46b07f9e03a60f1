/** A segment that reads like a name: short, small letters, at most a version's digit at the end. */
const word = /^[a-z]{1,20}(?:[-_.][a-z]{1,20}){0,3}\d{0,2}$/

/**
 * A path that no route has, for logs and errors. People paste keys and passwords into addresses, so that only what reads
 * like the name of a route is shown.
 */
export function shownPath(url: string): string {
  const path = (url.split('?')[0] ?? '/').slice(0, 200)
  return path
    .split('/')
    .map((segment) => (segment === '' || word.test(segment) ? segment : '…'))
    .join('/')
}
