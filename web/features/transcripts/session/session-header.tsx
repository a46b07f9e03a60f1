import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import {
  ArrowLeft,
  Bot,
  Folder,
  GitBranch,
  GitFork,
  GitPullRequest,
  Laptop,
  Sparkles,
  type LucideIcon,
} from 'lucide-react'
import type { TranscriptDetail } from '#transcripts/contract'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { countText, counted, shortCount } from '../../../ui/quantity.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { assistantNames, shortPath, spanText, titleOf } from '../transcript-words.ts'
import { CostPopover } from './cost-popover.tsx'
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
      <Related session={session} />
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

interface FactProps {
  icon?: LucideIcon
  title?: string | undefined
  children: ReactNode
}

function Fact({ icon: Icon, title, children }: FactProps) {
  return (
    <span title={title} className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap">
      {Icon && <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />}
      <span className="max-w-56 truncate">{children}</span>
    </span>
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
        title={`Active for ${spanText(session.duration_seconds)}, ${spanText(session.wall_seconds)} from start to end`}
      >
        {spanText(session.duration_seconds)}
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

function Related({ session: { parent_id, forked_from, forks, links } }: { session: TranscriptDetail }) {
  return (
    <>
      {parent_id !== null && <SessionLink icon={Bot} id={parent_id} name="Subagent of a session" />}
      {forked_from !== null && <SessionLink icon={GitFork} id={forked_from} name="Forked from a session" />}
      {forks.slice(0, 5).map(({ id, title }) => (
        <SessionLink key={id} icon={GitFork} id={id} name={`Fork: ${title ?? 'untitled'}`} />
      ))}
      {links.slice(0, 10).map(({ value }) => (
        <PullRequest key={value} address={value} />
      ))}
    </>
  )
}

function SessionLink({ icon, id, name }: { icon: LucideIcon; id: string; name: string }) {
  return (
    <Fact icon={icon} title={name}>
      <Link to="/transcripts/$id" params={{ id }} className="underline underline-offset-2 hover:text-ink">
        {name}
      </Link>
    </Fact>
  )
}

/** The transcript names it: only addresses of the web become links. */
function PullRequest({ address }: { address: string }) {
  const number = /\/(?:pull|pulls|merge_requests)\/(\d+)/.exec(address)?.[1]
  const name = number === undefined ? 'Pull request' : `Pull request #${number}`
  return (
    <Fact icon={GitPullRequest} title={address}>
      {/^https?:\/\//.test(address) ? (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="underline underline-offset-2 hover:text-ink"
        >
          {name}
        </a>
      ) : (
        address
      )}
    </Fact>
  )
}
