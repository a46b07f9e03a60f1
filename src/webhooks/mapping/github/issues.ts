import { maxMessage, maxTitle, type Delivery, type Mapping, type TicketChange } from '../change.ts'
import { arrayAt, idAt, linkAt, textAt, timeAt } from '../payload.ts'
import { isInProgress, priorityOf } from '../labels.ts'

export function issues({ payload }: Delivery): Mapping {
  const id = idAt(payload, 'issue.id')
  const changedAt = timeAt(payload, 'issue.updated_at')
  const title = textAt(payload, 'issue.title', maxTitle)
  if (id === null || changedAt === null || title === null)
    return { ignored: 'The issue has no ID, title or time.' }
  const labels = arrayAt(payload, 'issue.labels').flatMap((label) => textAt(label, 'name', 100) ?? [])
  const status = statusOf(payload, labels)
  return {
    changes: [
      {
        kind: 'ticket',
        externalId: `issue/${id}`,
        title,
        description: textAt(payload, 'issue.body', maxMessage) ?? '',
        status,
        priority: priorityOf(labels),
        assignee: textAt(payload, 'issue.assignee.login', 100),
        url: linkAt(payload, 'issue.html_url'),
        createdAt: timeAt(payload, 'issue.created_at') ?? changedAt,
        startedAt: null,
        closedAt:
          status === 'open' || status === 'in_progress'
            ? null
            : (timeAt(payload, 'issue.closed_at') ?? changedAt),
        changedAt,
      },
    ],
  }
}

function statusOf(payload: unknown, labels: readonly string[]): TicketChange['status'] {
  const action = textAt(payload, 'action')
  // In its new repository a transferred issue is opened under another ID.
  if (action === 'deleted' || action === 'transferred') return 'cancelled'
  if (textAt(payload, 'issue.state') !== 'closed') return isInProgress(labels) ? 'in_progress' : 'open'
  const reason = textAt(payload, 'issue.state_reason')
  return reason === 'not_planned' || reason === 'duplicate' ? 'cancelled' : 'done'
}
