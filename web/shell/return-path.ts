/** Where to go after signing in. Anything but a path of this dashboard is refused: it could lead to another site. */
export function returnPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/'
  const here = 'http://signalbox.invalid'
  const target = URL.parse(next, here)
  if (target?.origin !== here || target.pathname === '/sign-in' || target.pathname === '/join') return '/'
  return target.pathname + target.search + target.hash
}
