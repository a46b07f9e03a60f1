import { getRouteApi, Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { inGroup } from '../../../shell/no-group.tsx'
import { Page } from '../../../ui/page.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { counted } from '../../../ui/quantity.ts'
import { StatusDot, type Status } from '../../../ui/status-dot.tsx'
import { Hits } from '../found/hits.tsx'
import { readTranscriptsAddress } from '../transcripts-address.ts'
import { watchersQuery } from '../transcript-queries.ts'
import { statusOf } from '../watchers/watcher-words.ts'
import { SessionList } from './session-list.tsx'
import { TranscriptFilterBar } from './transcript-filter-bar.tsx'

const route = getRouteApi('/shell/transcripts')

export const TranscriptsPage = inGroup(({ group }) => <Transcripts groupId={group.id} />)

function Transcripts({ groupId }: { groupId: string }) {
  const { q, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const clear = () => void navigate({ search: {} })
  return (
    <Page
      wide
      title="Transcripts"
      description="Every session of your coding assistants, from all machines. Search what was said and done in them."
      actions={<WatcherStatus groupId={groupId} />}
    >
      <div className="space-y-4">
        <TranscriptFilterBar
          groupId={groupId}
          q={q}
          filter={filter}
          onChange={(part, isTyping) =>
            void navigate({
              search: (before) => readTranscriptsAddress({ ...before, ...part }),
              replace: isTyping,
              resetScroll: false,
            })
          }
          onClear={clear}
        />
        {q === undefined ? (
          <SessionList groupId={groupId} filter={filter} onClear={clear} />
        ) : (
          <Hits groupId={groupId} q={q} filter={filter} onClear={clear} />
        )}
      </div>
    </Page>
  )
}

/** The worst first. */
const order: readonly Status[] = ['error', 'warning', 'off', 'ok']

/** All watchers in a few words, with the way to their page. */
function WatcherStatus({ groupId }: { groupId: string }) {
  const { data } = useQuery(watchersQuery(groupId))
  if (!data) return null
  const states = data.map((watcher) => statusOf(watcher, Date.now()))
  const worst = order.find((status) => states.some((state) => state.status === status)) ?? 'off'
  const words = states.find(({ status }) => status === worst)?.words.toLowerCase()
  return (
    <Link to="/transcripts/watchers" className={buttonClass()}>
      <StatusDot status={worst} blinking={worst === 'warning'}>
        {data.length === 0 ? 'No watchers' : `${counted(data.length, 'machine')}: ${words}`}
      </StatusDot>
    </Link>
  )
}
