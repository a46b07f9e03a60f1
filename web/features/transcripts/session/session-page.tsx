import { useEffect, useMemo, useRef } from 'react'
import { useParams, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useCurrentGroup, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { showKeys, usePageKeys } from '../../../ui/page-keys.ts'
import { preloadMarkdown } from '../../../ui/markdown/markdown.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import type { KeyGroup } from '../../../ui/key-sheet.tsx'
import { SessionContext } from '../message/session-context.ts'
import { titleOf } from '../transcript-words.ts'
import { readSessionAddress, type SessionAddress, type Shown } from '../transcripts-address.ts'
import { FindBar } from './find-bar.tsx'
import { PromptOutline } from './prompt-outline.tsx'
import { rowsOf } from './rows.ts'
import { SessionActions } from './session-actions.tsx'
import { SessionHeader } from './session-header.tsx'
import { TranscriptList, type ListHandle } from './transcript-list.tsx'
import { wordsOf } from './use-marked-words.ts'
import { useMessageList } from './use-message-list.ts'
import { useSessionKeys } from './use-session-keys.ts'

/** The keyboard shortcuts of the page. */
const sessionKeys: readonly KeyGroup[] = [
  {
    title: 'Move',
    keys: [
      ['j', 'k', 'Next or previous prompt'],
      ['G', 'Newest messages'],
      ['n', 'N', 'Next or previous hit of the search'],
    ],
  },
  {
    title: 'Find',
    keys: [
      ['/', 'Search in this session'],
      ['1', 'Only prompts; 2 tool calls, 3 errors'],
      ['0', 'All messages'],
    ],
  },
]

export function SessionPage() {
  const group = useCurrentGroup()
  const { id } = useParams({ from: '/shell/transcripts/$id' })
  return group === null ? <NoGroup /> : <Session key={`${group.id} ${id}`} group={group} id={id} />
}

const choices = [
  { id: 'all', label: 'All' },
  { id: 'prompts', label: 'Prompts' },
  { id: 'tools', label: 'Tools' },
  { id: 'errors', label: 'Errors' },
] as const

function Session({ group, id }: { group: CurrentGroup; id: string }) {
  useEffect(preloadMarkdown, [])
  const at = useSessionLocation()
  const { list, state, session, key, reload } = useMessageList({ id, message: at.message, show: at.show })
  const { messages, older, phase } = state
  const rows = useMemo(() => rowsOf(messages, older !== null), [messages, older])
  const words = useMemo(() => wordsOf(at.q ?? ''), [at.q])
  const handle = useRef<ListHandle>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const stepHit = useRef<(by: 1 | -1) => void>(() => undefined)
  usePageKeys(sessionKeys)
  const showNewest = () => {
    if (state.newer === null) handle.current?.showEnd()
    else reload()
    if (at.message !== undefined) at.openMessage(undefined)
  }
  useSessionKeys({
    list,
    handle,
    searchField,
    onNewest: showNewest,
    onHit: (by) => stepHit.current(by),
    onShown: at.setShown,
  })
  const place = useMemo(
    () => session && { groupId: group.id, session, target: at.message, isNested: false },
    [group.id, session, at.message],
  )
  if (!place)
    return phase === 'failed' ? (
      <RecordFailure error={state.error} noun="transcript" to="/transcripts" onRetry={list.load} />
    ) : (
      <PageSkeleton />
    )
  return (
    // As high as the window: the list scrolls, not the page.
    <div
      data-wide
      className="-mx-4 -mt-6 -mb-20 flex h-[calc(100dvh-3.5rem)] flex-col sm:-mx-8 lg:-mt-10 lg:h-dvh"
    >
      <title>{`${titleOf(place.session)} · Signalbox`}</title>
      <SessionHeader
        groupId={group.id}
        session={place.session}
        actions={<SessionActions group={group} session={place.session} onShowKeys={showKeys} />}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2 sm:px-8">
        <Segmented
          label="Messages shown"
          choices={choices}
          value={at.show ?? 'all'}
          onChange={(choice) => at.setShown(choice === 'all' ? undefined : choice)}
        />
        <FindBar
          groupId={group.id}
          sessionId={id}
          q={at.q}
          message={at.message}
          field={searchField}
          step={stepHit}
          onQuery={at.setQuery}
          onOpen={at.openMessage}
        />
      </div>
      {phase === 'ready' && rows.length === 0 ? (
        <NoMessages isFiltered={at.show !== undefined} onClear={() => at.setShown(undefined)} />
      ) : (
        <SessionContext value={place}>
          <div className="flex min-h-0 flex-1">
            <TranscriptList
              key={`${key} ${phase}`}
              list={list}
              state={state}
              rows={rows}
              target={at.message}
              words={words}
              handle={handle}
              onNewest={showNewest}
            />
            <PromptOutline
              groupId={group.id}
              sessionId={id}
              messages={messages}
              target={at.message}
              onOpen={at.openMessage}
            />
          </div>
        </SessionContext>
      )}
    </div>
  )
}

function NoMessages({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-8 sm:px-8">
      {isFiltered ? (
        <EmptyState
          icon={MessagesSquare}
          title="No matching messages"
          action={<Button onClick={onClear}>Show all messages</Button>}
        >
          This session has no messages of this kind.
        </EmptyState>
      ) : (
        <EmptyState icon={MessagesSquare} title="No messages yet">
          The session has begun, and nothing was written so far. Messages appear here within two seconds.
        </EmptyState>
      )}
    </div>
  )
}

interface SessionLocation extends SessionAddress {
  openMessage: (message: string | undefined) => void
  setQuery: (q: string | undefined) => void
  setShown: (show: Shown | undefined) => void
}

/** The message is in `?message=ID` or, as in links of other viewers, in `#m-ID`. */
function useSessionLocation(): SessionLocation {
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
