import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { call } from '../../../../api/client.ts'
import { shortcut } from '../../../../shell/shortcut.ts'
import { Button } from '../../../../ui/button.tsx'
import { Textarea } from '../../../../ui/input.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import { runQuery, runsKey } from '../run-queries.ts'

const maxMessage = 20_000

/** A message to a run that has ended: the agent continues the same conversation. */
export function ContinueBox({ groupId, runId }: { groupId: string; runId: string }) {
  const queryClient = useQueryClient()
  const [request, setRequest] = useState('')
  const send = useMutation({
    mutationFn: () =>
      call('POST', '/api/agent-runs/{run_id}/continue', {
        path: { run_id: runId },
        body: { request: request.trim(), async: true },
      }),
    onSuccess: (run) => {
      setRequest('')
      queryClient.setQueryData(runQuery(groupId, runId).queryKey, run)
      void queryClient.invalidateQueries({ queryKey: runsKey(groupId) })
    },
  })
  const maySend = request.trim() !== '' && !send.isPending
  const submit = () => maySend && send.mutate()
  return (
    <form
      aria-label="Continue the run"
      className="space-y-3 rounded-xl border border-line bg-surface p-4 shadow-low"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        aria-label="Message"
        placeholder="Continue with the same conversation: ask about the result, or say what to do next."
        className="max-h-80 min-h-16"
        maxLength={maxMessage}
        value={request}
        onChange={(event) => setRequest(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      />
      {send.error && <FailureNotice error={send.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" icon={Send} disabled={!maySend} busy={send.isPending}>
          Continue run
        </Button>
        <span className="hidden text-xs text-ink-faint sm:inline">{shortcut('Enter')} to send</span>
      </div>
    </form>
  )
}
