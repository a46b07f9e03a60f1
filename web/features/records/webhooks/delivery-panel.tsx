import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { RotateCcw, X } from 'lucide-react'
import { toast } from 'sonner'
import type { DeliveryDetail, DeliveryResult } from '#webhooks/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { exactTime } from '../../../ui/moment.ts'
import { FailureNotice } from '../../../ui/notice.tsx'
import { bytesText } from '../../../ui/quantity.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { recordQuery, useRecordChange } from '../record-queries.ts'
import { kindWords, statusNames, statusTones } from './hook-words.ts'

interface DeliveryPanelProps {
  group: CurrentGroup
  id: string
  onClose: () => void
}

/** One delivery as it came, and a button to process it again. */
export function DeliveryPanel({ group, id, onClose }: DeliveryPanelProps) {
  const { data, error, refetch } = useQuery(
    recordQuery(group.id, '/api/webhooks/deliveries/{id}', { path: { id } }),
  )
  const replay = useRecordChange<DeliveryResult>(group.id)
  const run = () =>
    replay.mutate(() => call('POST', '/api/webhooks/deliveries/{id}/replay', { path: { id } }), {
      onSuccess: ({ status }) => toast.success(`Delivery replayed: ${statusNames[status].toLowerCase()}`),
    })
  return (
    <SidePanel open onClose={onClose} title={`Delivery ${id}`}>
      <header className="flex items-start gap-2 border-b border-line px-5 py-4">
        <h2 className="min-w-0 flex-1 pt-1 font-mono text-base font-semibold">{data?.event ?? 'Delivery'}</h2>
        <Button size="small" icon={RotateCcw} busy={replay.isPending} onClick={run}>
          Replay delivery
        </Button>
        <IconButton label="Close (Escape)" icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 py-5" tabIndex={0}>
        {error && <FailureNotice error={error} onRetry={() => refetch()} />}
        {replay.error && <FailureNotice error={replay.error} />}
        {!data && !error && <Skeleton className="h-64" />}
        {data && (
          <>
            <FactList facts={factsOf(data)} />
            <CodeBlock language="json" what="Body" source={readable(data.body)} />
          </>
        )}
      </div>
    </SidePanel>
  )
}

const factsOf = (delivery: DeliveryDetail) => [
  {
    name: 'Result',
    value: <Badge tone={statusTones[delivery.status]}>{statusNames[delivery.status]}</Badge>,
  },
  ...(delivery.reason === null ? [] : [{ name: 'Reason', value: delivery.reason }]),
  { name: 'Sender', value: kindWords[delivery.kind].name },
  { name: 'Received', value: exactTime(delivery.received_at) },
  { name: 'Attempts', value: delivery.attempts },
  { name: 'Size', value: bytesText(delivery.size_bytes) },
  { name: 'Type', value: delivery.content_type },
  ...(delivery.external_id === null ? [] : [{ name: 'Sender’s ID', value: delivery.external_id }]),
]

const shown = 200_000

/** JSON with indentation; anything else as it came. Very long bodies are cut: a page cannot show them. */
function readable(body: string): string {
  const text = body.length > shown ? body : indented(body)
  return text.length > shown ? `${text.slice(0, shown)}\n… ${text.length - shown} more characters` : text
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
