import { Link, type LinkComponentProps } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { buttonClass } from '../ui/button.tsx'
import { FailureNotice } from '../ui/notice.tsx'
import { FullPage } from './full-page.tsx'

interface RecordMissingProps {
  /** What it is, such as "run". */
  noun: string
  /** Where the others are. */
  to: NonNullable<LinkComponentProps['to']>
  /** What the others are called there. */
  others?: string
}

interface RecordFailureProps extends RecordMissingProps {
  error: unknown
  onRetry: () => unknown
}

/** Instead of a record that could not be read: that there is none, with the way to the others, or what went wrong. */
export function RecordFailure({ error, onRetry, ...missing }: RecordFailureProps) {
  if (!isMissing(error)) return <FailureNotice error={error} onRetry={onRetry} />
  return <RecordMissing {...missing} />
}

/** Instead of a record that is not in its list, with the way to the others. */
export function RecordMissing({ noun, to, others = `${noun}s` }: RecordMissingProps) {
  return (
    <FullPage code="404" title={`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} not found`}>
      <p>{`No ${noun} of this group has this address. It may have been deleted, or it belongs to another group.`}</p>
      <div className="mt-6 flex justify-center">
        <Link to={to} className={buttonClass('primary')}>
          {`Show ${others}`}
        </Link>
      </div>
    </FullPage>
  )
}

/** Only the ID can be wrong in such a request: what is not the ID of anything returns 400. */
const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)
