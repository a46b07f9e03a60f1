import { useEffect, useSyncExternalStore } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { reachable } from '../api/reachable.ts'
import { checkServer } from './check-server.ts'

const retryEvery = 2000
/** What the browser knows of its network. */
const signs = ['offline', 'online']

/** Shown while the server cannot be reached. The page stays; it is reloaded when the server is back. */
export function OfflineBanner() {
  const queryClient = useQueryClient()
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get)
  useEffect(() => {
    for (const sign of signs) addEventListener(sign, checkServer)
    return () => {
      for (const sign of signs) removeEventListener(sign, checkServer)
    }
  }, [])
  useEffect(() => {
    if (isReachable) return undefined
    const timer = setInterval(checkServer, retryEvery)
    return () => {
      clearInterval(timer)
      void queryClient.invalidateQueries()
    }
  }, [isReachable, queryClient])
  if (isReachable) return null
  return (
    <p
      role="alert"
      className="sticky top-0 z-30 flex items-center justify-center gap-2 bg-danger-soft px-4 py-2 text-sm font-medium text-danger"
    >
      <WifiOff aria-hidden className="size-4 shrink-0" />
      Can’t reach Signalbox. Retrying…
    </p>
  )
}
