import { getRouteApi } from '@tanstack/react-router'
import { useCurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { Page } from '../../../ui/page.tsx'
import { Hits } from '../found/hits.tsx'
import { readTranscriptsAddress } from '../transcripts-address.ts'
import { WatcherStatus } from '../watchers/watcher-status.tsx'
import { SessionList } from './session-list.tsx'
import { TranscriptFilterBar } from './transcript-filter-bar.tsx'

const route = getRouteApi('/shell/transcripts')

export function TranscriptsPage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Transcripts key={group.id} groupId={group.id} />
}

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
