import { ApiError } from './client.ts'

export interface Advice {
  /** What happened. */
  title: string
  /** What to do next. */
  next: string
}

const nextByCode: Record<string, string> = {
  unreachable: 'See whether the server is still running and this machine is online, then try again.',
  not_authenticated: 'Sign in again; you will come back to this page.',
  forbidden: 'Ask an owner or admin of the group to do it, or to raise your role.',
  not_found: 'It may have been removed, or belongs to another group. Reload the page or switch the group.',
  conflict: 'Reload the page to see what is there now, then try again.',
  rate_limit: 'Wait a minute, then try again.',
  unavailable: 'A part of the server is down. Look at its log; it recovers by itself once the part is back.',
  runtime_unavailable:
    'Start the runtime that makes the embeddings; the page Embeddings says under State which one and where.',
  internal_error: 'Try again. If it happens again, look for the request in the server’s log.',
}

/** Says of any failure what happened and what to do about it. */
export function adviceFor(error: unknown): Advice {
  if (error instanceof ApiError) {
    const fallback =
      error.status >= 500 ? nextByCode['internal_error'] : 'Change what was sent and try again.'
    return { title: error.message, next: nextByCode[error.code] ?? fallback ?? '' }
  }
  // A page that was open while a new version was installed asks for files that are gone.
  if (error instanceof Error && /dynamically imported module|importing a module/i.test(error.message))
    return {
      title: 'This page could not be loaded.',
      next: 'Reload: a newer version may have been installed.',
    }
  return {
    title: 'This page has failed.',
    next: 'Reload it. If it fails again, the browser’s console says why.',
  }
}

export function isNotAuthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
