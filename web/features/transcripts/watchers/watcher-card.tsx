import type { TranscriptWatcher } from '#transcripts/contract'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { bytesText, countText, counted } from '../../../ui/quantity.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
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
      columns={['Folder', 'Assistant', 'Files', 'To read']}
      rows={roots}
      sortBy={{
        Folder: ({ path }) => path,
        Assistant: ({ assistant }) => assistantNames[assistant],
        Files: ({ files }) => files,
        'To read': ({ behind_bytes }) => behind_bytes,
      }}
    >
      {({ assistant, path, files, behind_bytes }) => (
        <Row key={`${assistant} ${path}`}>
          <Cell part="lead" className="font-mono text-xs [overflow-wrap:anywhere]">
            {path}
          </Cell>
          <Cell label="Assistant">{assistantNames[assistant]}</Cell>
          <Cell label="Files">{countText(files)}</Cell>
          <Cell label="To read">
            {behind_bytes === 0 ? <span className="text-ink-faint">–</span> : bytesText(behind_bytes)}
          </Cell>
        </Row>
      )}
    </Table>
  )
}

function Skipped({ skipped }: Pick<TranscriptWatcher, 'skipped'>) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">Skipped</h3>
      <Table
        label="Skipped"
        columns={['File', 'Reason', 'Size', 'When']}
        rows={skipped}
        sortBy={{
          File: ({ path }) => path,
          Reason: ({ reason }) => reason,
          Size: ({ bytes }) => bytes,
          When: ({ at }) => timeValue(at),
        }}
      >
        {({ path, reason, bytes, at }, index) => (
          <Row key={index}>
            <Cell part="lead" className="font-mono text-xs [overflow-wrap:anywhere]">
              {path}
            </Cell>
            <Cell label="Reason">{reasonText(reason)}</Cell>
            <Cell label="Size" className="whitespace-nowrap">
              {bytesText(bytes)}
            </Cell>
            <Cell label="When">
              <MomentText time={at} />
            </Cell>
          </Row>
        )}
      </Table>
    </section>
  )
}
