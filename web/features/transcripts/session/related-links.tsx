import { Link } from '@tanstack/react-router'
import { Bot, GitFork, GitPullRequest, type LucideIcon } from 'lucide-react'
import type { TranscriptDetail } from '#transcripts/contract'
import { Fact } from './header-fact.tsx'

/** The sessions and pull requests that belong to the session. */
export function RelatedLinks({
  session: { parent_id, forked_from, forks, links },
}: {
  session: TranscriptDetail
}) {
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
