import { memo } from 'react'
import { Link } from '@tanstack/react-router'
import { Brain, FileText, Hand, User } from 'lucide-react'
import type { Run } from '#agents/contract'
import { Fold } from '../../../../ui/fold.tsx'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../../ui/moment-text.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { StatusDot } from '../../../../ui/status-dot.tsx'
import { ClampedText } from '../../../../ui/clamped-text.tsx'
import type { Entry } from '../live/run-log.ts'
import { hasEnded } from '../run-words.ts'
import { CallCard } from './call-card.tsx'
import { waitTitles } from './wait-titles.ts'

interface TimelineProps {
  run: Run
  entries: readonly Entry[]
  /** Whether the events that are stored have been asked for. */
  isReplayed: boolean
}

/** All that happened, from the request on. */
export function Timeline({ run, entries, isReplayed }: TimelineProps) {
  return (
    <section aria-label="Timeline" className="space-y-3">
      <Request by={run.asked_by.user?.name ?? run.started_by} request={run.request} />
      {entries.map((entry) => (
        <EntryView key={entry.key} entry={entry} isLive={!hasEnded(run.status)} />
      ))}
      {run.status === 'running' && (
        <p className="px-1 text-sm text-ink-soft">
          <StatusDot status="warning" blinking>
            {activityOf(entries.at(-1))}
          </StatusDot>
        </p>
      )}
      {isReplayed && <RunEnd run={run} entries={entries} />}
    </section>
  )
}

/** What somebody asked. What comes with it as data, such as a ticket, is folded away. */
function Request({ by, request }: { by: string; request: string }) {
  const [said, data] = request.split(/\n\n(?=<untrusted-data-)/, 2)
  return (
    <div className="rounded-xl border border-primary/45 bg-accent-soft px-4 pt-2 pb-3">
      <p className="mb-0.5 flex min-h-6 items-center gap-1.5 text-xs text-ink-faint">
        <User aria-hidden className="size-3.5" />
        <span className="font-medium">{by}</span>
      </p>
      <p className="leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">{said}</p>
      {data !== undefined && (
        <Fold id="request data" icon={FileText} label="What comes with it">
          <p className="text-sm [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">{data}</p>
        </Fold>
      )}
    </div>
  )
}

function activityOf(last: Entry | undefined): string {
  if (last?.kind === 'call' && last.call.status === 'running') return `Calling ${last.call.name}`
  if (last?.kind === 'text') return 'Writing'
  return 'Thinking'
}

const EntryView = memo(function EntryView({ entry, isLive }: { entry: Entry; isLive: boolean }) {
  switch (entry.kind) {
    case 'request':
      return <Request by={entry.by} request={entry.request} />
    case 'text':
      return <AgentText id={`text ${entry.key}`} text={entry.content} />
    case 'thought':
      return <Thought entry={entry} />
    case 'call':
      return <CallCard call={entry.call} isLive={isLive} />
    case 'wait':
      return <PastWait entry={entry} />
    case 'devlog':
      return (
        <p className="flex items-center gap-1.5 pl-1 text-xs text-ink-faint">
          <FileText aria-hidden className="size-3.5" />
          <Link
            to="/devlogs/$id"
            params={{ id: entry.devlogId }}
            className="text-accent underline underline-offset-2"
          >
            Devlog written from what ran
          </Link>
        </p>
      )
    case 'error':
    default:
      return <Notice tone="danger" title={entry.message}>{`Code: ${entry.code}`}</Notice>
  }
})

function Thought({ entry: { key, content } }: { entry: Extract<Entry, { kind: 'thought' }> }) {
  return (
    <Fold
      id={`thought ${key}`}
      icon={Brain}
      label="Thinking"
      excerpt={content.slice(0, 300).replaceAll(/\s+/g, ' ')}
    >
      <div className="border-l-2 border-line pl-3 text-ink-soft">
        <Markdown source={content.slice(0, maxMarkdown)} />
      </div>
    </Fold>
  )
}

/** Where a person was needed; the card at the end shows what is needed now. */
function PastWait({ entry: { at, waitingFor, isOver } }: { entry: Extract<Entry, { kind: 'wait' }> }) {
  if (!isOver) return null
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 border-t border-dashed border-line-strong pt-2 pl-1 text-xs text-ink-faint">
      <Hand aria-hidden className="size-3.5" />
      <span>{waitTitles[waitingFor.kind].past}</span>
      <MomentText time={at} />
      {waitingFor.kind === 'approval' && (
        <Link
          to="/sql/approvals/$id"
          params={{ id: waitingFor.approval_id }}
          className="text-accent underline underline-offset-2"
        >
          Approval
        </Link>
      )}
      {waitingFor.kind === 'question' && <span>{`“${waitingFor.question}”`}</span>}
    </p>
  )
}

/** How the run ended, where the entries do not say it. */
function RunEnd({ run, entries }: { run: Run; entries: readonly Entry[] }) {
  const { status, error, response } = run
  const ofTurn = entries.slice(entries.findLastIndex(({ kind }) => kind === 'request') + 1)
  const isSaid = ofTurn.some((entry) => entry.kind === 'error' && entry.message === error?.message)
  return (
    <>
      {status === 'completed' && response !== null && !ofTurn.some(({ kind }) => kind === 'text') && (
        <AgentText id="response" text={response} />
      )}
      {error && !isSaid && <Notice tone="danger" title={error.message}>{`Code: ${error.code}`}</Notice>}
      {status === 'failed' && <p className="px-1 text-sm text-ink-soft">{adviceOf(error?.code)}</p>}
      {status === 'cancelled' && (
        <Notice tone="info" title="Cancelled">
          What it had already changed stays changed. The audit log has every statement.
        </Notice>
      )}
      {status === 'completed' && response === null && (
        <Notice tone="info" title="Completed without a message" />
      )}
    </>
  )
}

/** What to do next. */
function adviceOf(code: string | undefined): string {
  if (code?.startsWith('max_') === true) return 'Ask again with a higher limit, or split the request.'
  return 'Ask again, or change the settings of the agent. What it had already changed stays changed.'
}

/** Markdown of longer texts takes too long to draw. */
const maxMarkdown = 50_000

function AgentText({ id, text }: { id: string; text: string }) {
  if (text.trim() === '') return null
  return (
    <div className="px-1">
      {text.length > maxMarkdown ? (
        <ClampedText id={id} text={text} what="Message" />
      ) : (
        <Markdown source={text} />
      )}
    </div>
  )
}
