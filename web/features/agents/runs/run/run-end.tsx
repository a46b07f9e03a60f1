import type { Run } from '#agents/contract'
import { Notice } from '../../../../ui/notice.tsx'
import type { Entry } from '../live/run-log.ts'
import { AgentText } from './agent-text.tsx'

/** How the run ended, where the entries do not say it. */
export function RunEnd({ run, entries }: { run: Run; entries: readonly Entry[] }) {
  const { status, error, response } = run
  const isSaid = entries.some((entry) => entry.kind === 'error' && entry.message === error?.message)
  return (
    <>
      {response !== null && !entries.some(({ kind }) => kind === 'text') && (
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
