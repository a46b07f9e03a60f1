import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failuresQuery } from '../../../api/usage-queries.ts'
import { Notice } from '../../../ui/notice.tsx'

/** Requests arrive and fail: the reason of the last one, where the reader waits for a success. */
export function LastFailure({ groupId }: { groupId: string }) {
  const { data } = useQuery({ ...failuresQuery(groupId, 1), refetchInterval: 4000 })
  const [row] = data ?? []
  if (!row) return null
  return (
    <div className="mt-4">
      <Notice tone="warning" title={`The last request returned ${row.status_code}`}>
        <p className="[overflow-wrap:anywhere]">{`${row.model}: ${row.error_message ?? 'no reason given'}`}</p>
        <Link
          to="/logs"
          search={{ request: row.request_id }}
          className="text-accent underline underline-offset-2"
        >
          Open the request
        </Link>
      </Notice>
    </div>
  )
}
