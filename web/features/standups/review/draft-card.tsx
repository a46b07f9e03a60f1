import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Download, Pencil, X } from 'lucide-react'
import { toast } from 'sonner'
import type { Draft } from '#standups/contract'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { MarkdownField } from '../../../ui/markdown-field.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { addressOf, call, type Given } from '../../../api/client.ts'
import { initiativesKey } from '../../initiatives/index.ts'
import { useStandupCall } from '../standup-queries.ts'

interface DraftCardProps {
  groupId: string
  initiativeId: string
  draft: Draft
  maySettle: boolean
}

const typeNames: Record<Draft['type'], string> = {
  meeting_notes: 'Meeting notes',
  decision_record: 'Decision record',
  criteria_update: 'Confidence change',
}
const tones: Record<Draft['status'], Tone> = { draft: 'accent', approved: 'success', rejected: 'neutral' }

/** A draft as the document that it will be. */
export function DraftCard({ groupId, initiativeId, draft, maySettle }: DraftCardProps) {
  const [mode, setMode] = useState<'read' | 'edit' | 'reject'>('read')
  const read = () => setMode('read')
  const isWaiting = draft.status === 'draft' && maySettle
  const exportPath = addressOf('/api/initiatives/{id}/standup/artifacts/{artifact_id}', {
    path: { id: initiativeId, artifact_id: draft.id },
    query: { format: 'md', group_id: groupId },
  })
  return (
    <section
      aria-label={`${typeNames[draft.type]}: ${draft.title}`}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <header className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-5 py-3">
        <h2 className="min-w-0 flex-1 basis-60 text-base font-semibold [overflow-wrap:anywhere]">
          {draft.title}
        </h2>
        <Badge>{typeNames[draft.type]}</Badge>
        {draft.is_proposal && <Badge tone="info">proposal</Badge>}
        <Badge tone={tones[draft.status]}>{draft.status === 'draft' ? 'to review' : draft.status}</Badge>
        <a href={exportPath} download className={buttonClass('quiet', 'small')}>
          <Download aria-hidden className="size-4" /> Markdown
        </a>
      </header>
      <div className="px-5 py-4">
        {mode === 'edit' && isWaiting ? (
          <EditForm groupId={groupId} initiativeId={initiativeId} draft={draft} onClose={read} />
        ) : (
          <article className={draft.status === 'rejected' ? 'text-sm opacity-60' : 'text-sm'}>
            <Markdown source={draft.content} />
          </article>
        )}
      </div>
      {draft.settled_by !== null && draft.settled_at !== null && (
        <p className="border-t border-line px-5 py-2.5 text-xs text-ink-faint">
          {`${draft.status} by ${draft.settled_by}, `}
          <MomentText time={draft.settled_at} />
          {draft.edited && ', edited'}
          {draft.reason !== null && `: ${draft.reason}`}
        </p>
      )}
      {isWaiting && mode === 'reject' && (
        <RejectForm initiativeId={initiativeId} draft={draft} onClose={read} />
      )}
      {isWaiting && mode === 'read' && (
        <ReadActions
          groupId={groupId}
          initiativeId={initiativeId}
          draft={draft}
          onEdit={() => setMode('edit')}
          onReject={() => setMode('reject')}
        />
      )}
    </section>
  )
}

const approvePath = '/api/initiatives/{id}/standup/artifacts/{artifact_id}/approve'

/** The initiative has then changed. */
function useApprove(groupId: string, initiativeId: string, draft: Draft, onDone?: () => void) {
  const queryClient = useQueryClient()
  const settle = useStandupCall()
  // The value that the person was shown is the one that may be replaced.
  const stale = errorOf(settle.error, 'expected_confidence')
  const shown = /expected_confidence: (\d+|null)/.exec(stale ?? '')?.[1]
  const seen = shown === undefined ? {} : { expected_confidence: JSON.parse(shown) as number | null }
  const approve = (body: Given<'POST', typeof approvePath>['body']) =>
    settle.mutate(
      () =>
        call('POST', approvePath, {
          path: { id: initiativeId, artifact_id: draft.id },
          body: { ...body, ...seen },
        }),
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: [...initiativesKey(groupId), 'one'] })
          toast.success(`${typeNames[draft.type]} approved`)
          onDone?.()
        },
      },
    )
  return { approve, isPending: settle.isPending, error: settle.error, isStale: stale !== undefined }
}

/** What the person should know before approving. */
function DraftHints({ draft }: { draft: Draft }) {
  const lacksReason = draft.type === 'decision_record' && !/^## Rationale\s*$/m.test(draft.content)
  return (
    <>
      {draft.is_proposal && (
        <p className="text-sm text-ink-soft">
          Nobody accepted this in the stand-up. If you approve it, it is your decision.
        </p>
      )}
      {lacksReason && (
        <p className="text-sm text-ink-soft">
          No reason is recorded. Why was this decided? Edit the draft and add it under “## Rationale”.
        </p>
      )}
    </>
  )
}

interface ReadActionsProps {
  groupId: string
  initiativeId: string
  draft: Draft
  onEdit: () => void
  onReject: () => void
}

function ReadActions({ groupId, initiativeId, draft, onEdit, onReject }: ReadActionsProps) {
  const { approve, isPending, error, isStale } = useApprove(groupId, initiativeId, draft)
  return (
    <footer className="space-y-3 border-t border-line px-5 py-3.5">
      <DraftHints draft={draft} />
      {isStale ? (
        <Notice tone="warning" title="The confidence has changed since">
          {`${error?.message.split(' To change')[0]} Approve again to replace it.`}
        </Notice>
      ) : (
        error && <FailureNotice error={error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" icon={Check} busy={isPending} onClick={() => approve({})}>
          {isStale ? 'Replace and approve' : 'Approve'}
        </Button>
        <Button icon={Pencil} onClick={onEdit}>
          Edit
        </Button>
        <Button look="quiet" icon={X} onClick={onReject}>
          Reject
        </Button>
      </div>
    </footer>
  )
}

interface FormProps {
  initiativeId: string
  draft: Draft
  onClose: () => void
}

const editHints: Record<Draft['type'], string | undefined> = {
  meeting_notes: undefined,
  decision_record: 'Keep the headings: what stands below them is what is recorded.',
  criteria_update: 'Keep the first line: what it says is what is recorded.',
}

function EditForm({ groupId, initiativeId, draft, onClose }: FormProps & { groupId: string }) {
  const [title, setTitle] = useState(draft.title)
  const [content, setContent] = useState(draft.content)
  const { approve, isPending, error } = useApprove(groupId, initiativeId, draft, onClose)
  const hint = editHints[draft.type]
  return (
    <form
      aria-label={`Edit ${draft.title}`}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        approve({ title: title.trim(), content })
      }}
    >
      <TextField
        label="Title"
        required
        maxLength={300}
        error={errorOf(error, 'title')}
        value={title}
        onChange={setTitle}
      />
      <MarkdownField
        label="Content"
        value={content}
        error={errorOf(error, 'content')}
        onChange={setContent}
      />
      {hint !== undefined && <p className="text-xs text-ink-faint">{hint}</p>}
      {error && <FailureNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" icon={Check} busy={isPending}>
          Approve edited draft
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function RejectForm({ initiativeId, draft, onClose }: FormProps) {
  const [reason, setReason] = useState('')
  const settle = useStandupCall()
  return (
    <form
      aria-label={`Reject ${draft.title}`}
      className="space-y-3 border-t border-line px-5 py-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        const body = reason.trim() === '' ? {} : { reason: reason.trim() }
        settle.mutate(() =>
          call('POST', '/api/initiatives/{id}/standup/artifacts/{artifact_id}/reject', {
            path: { id: initiativeId, artifact_id: draft.id },
            body,
          }),
        )
      }}
    >
      <TextField
        label="Reason"
        hint="Optional"
        autoFocus
        maxLength={4000}
        value={reason}
        onChange={setReason}
      />
      {settle.error && <FailureNotice error={settle.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" busy={settle.isPending}>
          Reject draft
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
