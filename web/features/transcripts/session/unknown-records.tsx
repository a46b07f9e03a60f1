import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import type { TranscriptDetail } from '#transcripts/contract'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { countText, counted } from '../../../ui/quantity.ts'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { unknownQuery } from '../transcript-queries.ts'

interface UnknownRecordsProps {
  groupId: string
  session: Pick<TranscriptDetail, 'id' | 'unknown_records'>
}

/** Records that Signalbox cannot read are kept and shown as the assistant wrote them. */
export function UnknownRecords({ groupId, session }: UnknownRecordsProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="inline-flex items-center gap-1.5 underline decoration-line-strong underline-offset-2 hover:text-ink"
      >
        <CircleHelp aria-hidden className="size-3.5 text-ink-faint" />
        {counted(session.unknown_records, 'unknown record')}
      </button>
      <Dialog
        wide
        open={open}
        onClose={() => setOpen(false)}
        title="Unknown records"
        description="Lines of the file that this version of Signalbox cannot read. They are kept, and read again when it can."
      >
        <DialogBody>{open && <Records groupId={groupId} id={session.id} />}</DialogBody>
      </Dialog>
    </>
  )
}

function Records({ groupId, id }: { groupId: string; id: string }) {
  const { data, error, refetch } = useQuery(unknownQuery(groupId, id))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <ListSkeleton rows={3} />
  return (
    <>
      <ul className="space-y-3">
        {data.data.map(({ reason, line, cut }, index) => (
          <li key={index} className="overflow-hidden rounded-lg border border-line">
            <p className="flex items-center gap-2 border-b border-line bg-sunken py-0.5 pr-1 pl-3 text-xs">
              <span className="min-w-0 flex-1 truncate">{reason}</span>
              {cut && <span className="text-ink-faint">cut</span>}
              <CopyButton text={line} what="record" className="size-7" />
            </p>
            <pre
              tabIndex={0}
              className="max-h-48 overflow-auto px-3 py-2 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap -outline-offset-2"
            >
              {line}
            </pre>
          </li>
        ))}
      </ul>
      {data.total > data.data.length && (
        <p className="text-xs text-ink-faint">
          The first {countText(data.data.length)} of {countText(data.total)}.
        </p>
      )}
    </>
  )
}
