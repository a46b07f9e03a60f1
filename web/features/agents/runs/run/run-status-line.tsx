import type { Run } from '#agents/contract'
import { StatusDot } from '../../../../ui/status-dot.tsx'
import type { Connection } from '../live/use-run-log.ts'
import { hasEnded, runDots, runNames } from '../run-words.ts'

/** The status in words, and whether the page still hears from the server. */
export function RunStatusLine({ run, connection }: { run: Run; connection: Connection }) {
  const { status } = run
  const isLive = !hasEnded(status)
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span className="font-medium">
        <StatusDot status={runDots[status]} blinking={status === 'running'}>
          {runNames[status]}
        </StatusDot>
      </span>
      {status === 'queued' && <span className="text-ink-soft">Starts when another run has ended.</span>}
      {isLive && connection === 'lost' && <span className="text-accent">Connection lost. Reconnecting…</span>}
      {isLive && connection === 'refused' && (
        <span className="text-danger">No live updates. Reload the page.</span>
      )}
    </p>
  )
}
