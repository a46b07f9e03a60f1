import { useMemo } from 'react'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { readSessionAddress, type SessionAddress, type Shown } from '../transcripts-address.ts'

export interface SessionLocation extends SessionAddress {
  openMessage: (message: string | undefined) => void
  setQuery: (q: string | undefined) => void
  setShown: (show: Shown | undefined) => void
}

/** The message is in `?message=ID` or, as in links of other viewers, in `#m-ID`. */
export function useSessionLocation(): SessionLocation {
  const search = useSearch({ from: '/shell/transcripts/$id' })
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const navigate = useNavigate({ from: '/transcripts/$id' })
  const fromHash = /^m-([0-9a-f-]{36})$/.exec(hash)?.[1]
  return useMemo(() => {
    const at: SessionAddress = {
      ...(fromHash !== undefined && { message: fromHash }),
      ...search,
    }
    const go = (next: { [Name in keyof SessionAddress]: SessionAddress[Name] | undefined }) =>
      void navigate({ search: readSessionAddress(next), replace: true, resetScroll: false })
    return {
      ...at,
      openMessage: (message) => go({ ...at, message }),
      setQuery: (q) => go({ ...at, q }),
      // The message may not be among those shown.
      setShown: (show) => go({ q: at.q, show }),
    }
  }, [search, fromHash, navigate])
}
