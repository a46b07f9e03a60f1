import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Folder, GitBranch, Laptop, Sparkles } from 'lucide-react'
import type { TranscriptDetail } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { countText, counted, durationText, shortCount } from '../../../ui/quantity.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { assistantNames, shortPath, titleOf } from '../transcript-words.ts'
import { CostPopover } from './cost-popover.tsx'
import { Fact } from './header-fact.tsx'
import { RelatedLinks } from './related-links.tsx'
import { UnknownRecords } from './unknown-records.tsx'

interface SessionHeaderProps {
  groupId: string
  session: TranscriptDetail
  actions: ReactNode
}

export function SessionHeader({ groupId, session, actions }: SessionHeaderProps) {
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  // A narrow screen is for the messages.
  const hasAll = !isNarrow || isOpen
  return (
    <header className="border-b border-line px-4 pt-3 pb-2.5 sm:px-8">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Link
            to="/transcripts"
            className="mb-0.5 inline-flex items-center gap-1 text-xs text-ink-faint hover:text-ink"
          >
            <ArrowLeft aria-hidden className="size-3.5" /> Transcripts
          </Link>
          <h1 className="line-clamp-2 text-lg font-semibold tracking-tight [overflow-wrap:anywhere] sm:text-xl">
            {titleOf(session)}
          </h1>
        </div>
        <div className="flex shrink-0 gap-2 pt-1">{actions}</div>
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-soft">
        <MainFacts session={session} />
        {hasAll ? (
          <MoreFacts groupId={groupId} session={session} />
        ) : (
          <button type="button" onClick={() => setOpen(true)} className="underline underline-offset-2">
            Show details
          </button>
        )}
      </div>
    </header>
  )
}

function MoreFacts({ groupId, session }: Omit<SessionHeaderProps, 'actions'>) {
  return (
    <>
      <Facts session={session} />
      <RelatedLinks session={session} />
      <CostPopover session={session} />
      {session.unknown_records > 0 && <UnknownRecords groupId={groupId} session={session} />}
      {session.source_missing && (
        <Badge>
          <span title="The file was deleted on the machine. This copy stays.">source deleted</span>
        </Badge>
      )}
    </>
  )
}

function MainFacts({ session: { assistant, version, project } }: { session: TranscriptDetail }) {
  return (
    <>
      <Fact title={version === null ? undefined : `Version ${version}`}>
        <Badge tone="info">{assistantNames[assistant]}</Badge>
      </Fact>
      {project !== null && (
        <Fact icon={Folder} title={project}>
          <Link to="/transcripts" search={{ project }} className="hover:underline">
            {shortPath(project)}
          </Link>
        </Fact>
      )}
    </>
  )
}

function Facts({ session }: { session: TranscriptDetail }) {
  const { git_branch, machine, models, started_at } = session
  return (
    <>
      {git_branch !== null && (
        <Fact icon={GitBranch} title="Git branch">
          {git_branch}
        </Fact>
      )}
      <Fact icon={Laptop} title="Machine">
        {machine}
      </Fact>
      {models.length > 0 && (
        <Fact icon={Sparkles} title={models.join(', ')}>
          {models.length === 1 ? models[0] : `${session.model ?? models[0]} + ${models.length - 1}`}
        </Fact>
      )}
      {started_at !== null && <MomentText time={started_at} />}
      <Fact
        title={`Active for ${durationText(session.duration_seconds * 1000)}, ${durationText(session.wall_seconds * 1000)} from start to end`}
      >
        {durationText(session.duration_seconds * 1000)}
      </Fact>
      <Fact title={counted(session.tool_call_count, 'tool call')}>
        {counted(session.message_count, 'message')}
      </Fact>
      <Fact title={tokenTitle(session)}>
        {shortCount(session.input_tokens)} in, {shortCount(session.output_tokens)} out
      </Fact>
      {session.files_edited.length > 0 && (
        <Fact title={session.files_edited.slice(0, 30).join('\n')}>
          {counted(session.files_edited.length, 'file')} edited
        </Fact>
      )}
    </>
  )
}

const tokenTitle = (session: TranscriptDetail): string =>
  [
    `${countText(session.input_tokens)} input tokens`,
    `– ${countText(session.cached_tokens)} read from the cache`,
    `– ${countText(session.cache_write_tokens)} written to the cache`,
    `${countText(session.output_tokens)} output tokens`,
  ].join('\n')
