/** Where to go after signing in. Only paths of this dashboard are accepted, never another site. */
export function returnPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/'
  const here = 'http://signalbox.invalid'
  const target = URL.parse(next, here)
  if (target?.origin !== here || target.pathname === '/sign-in' || target.pathname === '/join') return '/'
  return target.pathname + target.search + target.hash
}
