import { PowerOff } from 'lucide-react'
import { ApiError } from '../api/client.ts'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './notice.tsx'

/** A process may run without embeddings: its routes are then not there, and no reload brings them. */
export const isOff = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function EmbeddingsFailure({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  if (!isOff(error)) return <FailureNotice error={error} onRetry={onRetry} />
  return (
    <EmptyState icon={PowerOff} title="Embeddings and search are switched off">
      This Signalbox runs without the role “embeddings”. Whoever runs it can add the role to the setting ROLES
      and start it again.
    </EmptyState>
  )
}
