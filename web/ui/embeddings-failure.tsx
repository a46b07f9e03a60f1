import { PowerOff } from 'lucide-react'
import { ApiError } from '../api/client.ts'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './notice.tsx'

/** A server without the embeddings role returns 404 for these routes; a retry does not help. */
export const isOff = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function EmbeddingsFailure({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  if (!isOff(error)) return <FailureNotice error={error} onRetry={onRetry} />
  return (
    <EmptyState icon={PowerOff} title="Embeddings and search are turned off">
      This server runs without the “embeddings” role. To turn it on, add “embeddings” to the ROLES environment
      variable and restart Signalbox.
    </EmptyState>
  )
}
