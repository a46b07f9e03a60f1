import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, MessagesSquare } from 'lucide-react'
import type { CurrentStandup } from '#standups/contract'
import { ApiError } from '../../api/client.ts'
import { useSetDefault } from '../../api/default-models.ts'
import { mayWrite, type CurrentGroup } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { ModelOffer } from '../agents/index.ts'
import { initiativesKey } from '../initiatives/index.ts'
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
  if (problem?.code === 'no_provider_key')
    return <NoKey group={group} message={problem.message} model={current.model} onChosen={start.reset} />
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
        Model: <span className="font-mono">{current.model}</span>, the{' '}
        <Link to="/agents" hash="default-models" className="text-accent underline underline-offset-2">
          default of stand-ups
        </Link>
      </p>
      {problem && <FailureNotice error={new ApiError(400, problem.code, problem.message, null)} />}
      {problem?.code === 'model_not_found' && (
        <OtherModel {...{ group, model: current.model, onChosen: start.reset }} />
      )}
      {error && <FailureNotice error={error} />}
    </div>
  )
}

/** The agent calls its model with the group's own keys. */
function NoKey({ message, ...other }: OtherModelProps & { message: string }) {
  return (
    <EmptyState icon={KeyRound} title="The agent needs a provider key" action={<OtherModel {...other} />}>
      {message} Then come back and start the stand-up.
    </EmptyState>
  )
}

interface OtherModelProps {
  group: CurrentGroup
  model: string
  onChosen: () => void
}

/** One that works, where the group has a key for another provider. */
function OtherModel({ group, model, onChosen }: OtherModelProps) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useSetDefault(group.id, 'standups')
  const onSuccess = () => {
    onChosen()
    void queryClient.invalidateQueries({ queryKey: initiativesKey(group.id) })
  }
  return (
    <ModelOffer
      {...{ group, model, error }}
      busy={isPending}
      onChoose={(chosen) => mutate(chosen, { onSuccess })}
    />
  )
}
