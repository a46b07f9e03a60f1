import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { Artifact } from '#initiatives/contract'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import type { Place } from './place.ts'

const typeNames: Record<Artifact['type'], string> = {
  meeting_notes: 'Meeting notes',
  decision_record: 'Decision record',
  criteria_update: 'Confidence change',
}

export function DocumentsCard({ place }: { place: Place }) {
  const { artifacts, slug } = place.initiative
  return (
    <Card title="Documents" description="Approved drafts of stand-ups.">
      {artifacts.length === 0 ? (
        <p className="text-sm text-ink-faint">No documents yet.</p>
      ) : (
        <ul className="space-y-3">
          {artifacts.map(({ id, type, title, approved_by, approved_at }) => (
            <li key={id} className="text-sm">
              <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
                <Link
                  to="/initiatives/$id"
                  params={{ id: slug }}
                  search={{ document: id }}
                  resetScroll={false}
                  className="font-medium [overflow-wrap:anywhere] hover:underline"
                >
                  {title}
                </Link>
                <Badge>{typeNames[type]}</Badge>
              </p>
              <p className="text-xs text-ink-faint">
                approved by {approved_by ?? 'someone'}, <MomentText time={approved_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export function DocumentPanel({ document, onClose }: { document: Artifact; onClose: () => void }) {
  return (
    <SidePanel open onClose={onClose} title={`Document: ${document.title}`}>
      <div className="flex items-start gap-3 border-b border-line px-5 py-4">
        <div className="min-w-0 flex-1">
          <p className="text-xs text-ink-faint">{typeNames[document.type]}</p>
          <h2 className="text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">{document.title}</h2>
        </div>
        <CopyButton text={document.content} what="as Markdown" />
        <IconButton label="Close" icon={X} onClick={onClose} />
      </div>
      <article className="min-h-0 flex-1 overflow-y-auto px-5 py-5 text-sm">
        <Markdown source={document.content} />
      </article>
    </SidePanel>
  )
}
