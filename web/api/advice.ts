import { ApiError } from './client.ts'

export interface Advice {
  /** What happened. */
  title: string
  /** What to do next. */
  next: string
}

const nextByCode: Record<string, string> = {
  unreachable: 'Check that the server is running and that this machine is online, then try again.',
  not_authenticated: 'Sign in again. You will return to this page.',
  forbidden: 'Ask an owner or admin of the group to do it, or to change your role.',
  not_found: 'It may have been deleted, or it belongs to another group. Reload the page or switch groups.',
  conflict: 'Reload the page to see the current state, then try again.',
  rate_limit: 'Wait a minute, then try again.',
  unavailable:
    'Part of the server is unavailable. Check the server log; it recovers automatically when that part is back.',
  runtime_unavailable:
    'Start the embedding runtime. The Status tab of the Embeddings page shows which one and where.',
  internal_error: 'Try again. If it happens again, find the request in the server log.',
}

/** What happened and what to do next, for any error. */
export function adviceFor(error: unknown): Advice {
  if (error instanceof ApiError) {
    const fallback = error.status >= 500 ? nextByCode['internal_error'] : 'Change the request and try again.'
    return { title: error.message, next: nextByCode[error.code] ?? fallback ?? '' }
  }
  // A page that was open during an upgrade requests files that no longer exist.
  if (error instanceof Error && /dynamically imported module|importing a module/i.test(error.message))
    return {
      title: 'Can’t load this page.',
      next: 'Reload the page: a newer version may have been installed.',
    }
  return {
    title: 'Something went wrong on this page.',
    next: 'Reload the page. If it fails again, the browser console shows the reason.',
  }
}

export function isNotAuthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
