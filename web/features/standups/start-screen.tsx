import { Link } from '@tanstack/react-router'
import { KeyRound, MessagesSquare } from 'lucide-react'
import type { CurrentStandup } from '#standups/contract'
import { ApiError } from '../../api/client.ts'
import { mayManage, mayWrite, type CurrentGroup } from '../../api/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { useStart } from './standup-queries.ts'

interface StartScreenProps {
  group: CurrentGroup
  initiativeId: string
  current: CurrentStandup
}

/** Before a stand-up: what it does, or what keeps it from starting. */
export function StartScreen({ group, initiativeId, current }: StartScreenProps) {
  const start = useStart(group.id, initiativeId)
  const { error } = start
  const problem =
    error instanceof ApiError && error.code === 'no_provider_key'
      ? { code: error.code, message: error.message }
      : current.problem
  if (problem?.code === 'no_provider_key') return <NoKey group={group} message={problem.message} />
  if (!mayWrite(group))
    return (
      <EmptyState icon={MessagesSquare} title="No stand-up is open">
        Members of the group start one. You can then follow it here.
      </EmptyState>
    )
  return (
    <div className="space-y-4">
      <EmptyState
        icon={MessagesSquare}
        title="Start a stand-up"
        action={
          <Button
            look="primary"
            icon={MessagesSquare}
            busy={start.isPending}
            disabled={problem !== null}
            onClick={() => start.mutate()}
          >
            Start stand-up
          </Button>
        }
      >
        Ten minutes with an agent that knows the initiative. It reports what changed, asks for the decisions
        that it needs, looks things up and drafts the record. Nothing is saved until you approve it.
      </EmptyState>
      <p className="text-center text-xs text-ink-faint">
        Model: <span className="font-mono">{current.model}</span>
      </p>
      {problem && <FailureNotice error={new ApiError(400, problem.code, problem.message, null)} />}
      {error && <FailureNotice error={error} />}
    </div>
  )
}

/** The agent calls its model with the group's own keys. */
function NoKey({ group, message }: { group: CurrentGroup; message: string }) {
  const may = mayManage(group.role)
  return (
    <EmptyState
      icon={KeyRound}
      title="The agent needs a provider key"
      action={
        <Link to="/providers" className={buttonClass(may ? 'primary' : 'plain')}>
          {may ? 'Add provider key' : 'Open providers'}
        </Link>
      }
    >
      {message}{' '}
      {may ? 'Then come back and start the stand-up.' : 'Ask an owner or admin of the group to add one.'}
    </EmptyState>
  )
}
