import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send, ChevronRight } from 'lucide-react'
import type { Agent } from '#agents/contract'
import { call } from '../../../../api/client.ts'
import type { CurrentGroup } from '../../../../api/session.ts'
import { shortcut } from '../../../../shell/shortcut.ts'
import { Button } from '../../../../ui/button.tsx'
import { Textarea } from '../../../../ui/input.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { Card } from '../../../../ui/page.tsx'
import { AgentModel, AgentModelProblem } from '../../models/agent-model.tsx'
import { runQuery, runsKey } from '../run-queries.ts'
import { limitsOf, noLimits, limitRows, type LimitDraft } from './limits.ts'
import { TextField } from '../../../../ui/text-field.tsx'

const maxRequest = 100_000

/** Starts a run and opens its page. */
export function AskBox({ group, agent }: { group: CurrentGroup; agent: Agent }) {
  const groupId = group.id
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [request, setRequest] = useState('')
  const [draft, setDraft] = useState(noLimits)
  const { limits, faults } = limitsOf(draft)
  const ask = useMutation({
    mutationFn: () =>
      call('POST', '/api/agents/{id}/ask', {
        path: { id: agent.id },
        body: {
          request: request.trim(),
          async: true,
          ...(Object.keys(limits).length > 0 && { limits }),
        },
      }),
    onSuccess: async (run) => {
      queryClient.setQueryData(runQuery(groupId, run.run_id).queryKey, run)
      void queryClient.invalidateQueries({ queryKey: runsKey(groupId) })
      await navigate({ to: '/agents/runs/$runId', params: { runId: run.run_id } })
    },
  })
  const maySend = request.trim() !== '' && Object.keys(faults).length === 0 && !ask.isPending
  const send = () => maySend && ask.mutate()
  return (
    <Card title="Ask" description={`${agent.name} works on it alone and asks where a person decides.`}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Textarea
          aria-label="Request"
          placeholder="What should the agent do? For example: add an index for slow order look-ups."
          className="max-h-80 min-h-24"
          maxLength={maxRequest}
          value={request}
          onChange={(event) => setRequest(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            send()
          }}
        />
        <LimitFields draft={draft} faults={faults} onChange={setDraft} />
        {ask.error && <FailureNotice error={ask.error} />}
        <AgentModelProblem group={group} agent={agent} />
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" icon={Send} disabled={!maySend} busy={ask.isPending}>
            Ask agent
          </Button>
          <span className="hidden text-xs text-ink-faint sm:inline">{shortcut('Enter')} to send</span>
        </div>
        <AgentModel group={group} agent={agent} />
      </form>
    </Card>
  )
}

interface LimitFieldsProps {
  draft: LimitDraft
  faults: ReturnType<typeof limitsOf>['faults']
  onChange: (draft: LimitDraft) => void
}

/** Folded away: the limits of the server are right for most requests. */
function LimitFields({ draft, faults, onChange }: LimitFieldsProps) {
  return (
    <details className="group/limits">
      <summary className="flex w-fit list-none items-center gap-1 rounded-md text-sm text-ink-soft select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-ink-faint transition-transform group-open/limits:rotate-90"
        />
        Limits
      </summary>
      <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-4">
        {limitRows.map(({ name, label, unit }) => (
          <TextField
            key={name}
            label={label}
            hint={unit}
            error={faults[name]}
            inputMode={name === 'max_cost' ? 'decimal' : 'numeric'}
            placeholder="Server’s limit"
            value={draft[name]}
            onChange={(text) => onChange({ ...draft, [name]: text })}
          />
        ))}
      </div>
    </details>
  )
}
