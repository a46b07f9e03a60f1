import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { readLogsAddress } from './logs-address.ts'

const maxHits = 4

/** Errors, labels and metadata with the words: the search has them, the sums of the log do not. */
export function TextHits({ groupId, text }: { groupId: string; text: string }) {
  const { data } = useQuery({
    queryKey: ['logs', groupId, 'texts', text],
    queryFn: () =>
      call('POST', '/api/v1/search', { body: { query: text, kinds: ['request'], limit: maxHits } }),
    retry: false,
    staleTime: 60_000,
  })
  const hits = (data?.results ?? []).flatMap((hit) => {
    const request = /request=(req_[0-9a-f]{32})/.exec(hit.url)?.[1]
    return request === undefined ? [] : [{ ...hit, request }]
  })
  if (hits.length === 0) return null
  return (
    <section
      aria-label="Errors and labels"
      className="rounded-xl border border-line bg-surface px-3 py-2 text-sm"
    >
      <h2 className="text-xs font-medium text-ink-faint">
        In errors, labels and metadata: the latest of each
      </h2>
      <ul>
        {hits.map(({ id, title, excerpt, request }) => (
          <li key={id} className="truncate py-0.5">
            <Link
              from="/logs"
              to="."
              search={(before) => readLogsAddress({ ...before, request })}
              resetScroll={false}
              className="font-medium underline decoration-line-strong underline-offset-2 hover:decoration-ink"
            >
              {title}
            </Link>{' '}
            <span className="text-ink-faint">{excerpt}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
