import type { TranscriptWatcher } from '#transcripts/contract'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { bytesText, countText, counted } from '../../../ui/quantity.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { Table } from '../../../ui/table.tsx'
import { assistantNames } from '../transcript-words.ts'
import { behindOf, filesOf, reasonText, statusOf } from './watcher-words.ts'

/** One machine: its folders, and what was skipped in them. */
export function WatcherCard({ watcher }: { watcher: TranscriptWatcher }) {
  const { machine, version, seen_at, roots, skipped, problem } = watcher
  const { status, words } = statusOf(watcher, Date.now())
  const behind = behindOf(watcher)
  return (
    <Card
      title={machine}
      description={
        <>
          {counted(filesOf(watcher), 'file')} followed
          {behind > 0 && `, ${bytesText(behind)} to read`}. Version {version}, last seen{' '}
          <MomentText time={seen_at} />.
        </>
      }
      action={
        <span className="text-sm">
          <StatusDot status={status} blinking={status === 'warning'}>
            {words}
          </StatusDot>
        </span>
      }
    >
      <div className="space-y-4">
        {problem !== null && (
          <Notice tone="danger" title="The watcher has a problem">
            {problem}
          </Notice>
        )}
        <Roots roots={roots} />
        {skipped.length > 0 && <Skipped skipped={skipped} />}
      </div>
    </Card>
  )
}

function Roots({ roots }: Pick<TranscriptWatcher, 'roots'>) {
  if (roots.length === 0)
    return (
      <p className="text-sm text-ink-faint">No folder of a coding assistant was found on this machine.</p>
    )
  return (
    <Table
      label="Folders"
      rows={roots}
      rowKey={({ assistant, path }) => `${assistant} ${path}`}
      columns={[
        {
          name: 'Folder',
          value: ({ path }) => path,
          className: 'font-mono text-xs [overflow-wrap:anywhere]',
        },
        { name: 'Assistant', value: ({ assistant }) => assistantNames[assistant] },
        { name: 'Files', value: ({ files }) => files, cell: ({ files }) => countText(files) },
        {
          name: 'To read',
          value: ({ behind_bytes }) => behind_bytes,
          cell: ({ behind_bytes: behind }) =>
            behind === 0 ? <span className="text-ink-faint">–</span> : bytesText(behind),
        },
      ]}
    />
  )
}

function Skipped({ skipped }: Pick<TranscriptWatcher, 'skipped'>) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">Skipped</h3>
      <Table
        label="Skipped"
        rows={skipped}
        rowKey={(_, index) => index}
        columns={[
          {
            name: 'File',
            value: ({ path }) => path,
            className: 'font-mono text-xs [overflow-wrap:anywhere]',
          },
          { name: 'Reason', value: ({ reason }) => reason, cell: ({ reason }) => reasonText(reason) },
          {
            name: 'Size',
            value: ({ bytes }) => bytes,
            cell: ({ bytes }) => bytesText(bytes),
            className: 'whitespace-nowrap',
          },
          { name: 'When', time: ({ at }) => at, className: '' },
        ]}
      />
    </section>
  )
}
