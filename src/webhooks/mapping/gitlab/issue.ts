import { maxMessage, maxTitle, type Delivery, type Mapping } from '../change.ts'
import { isInProgress, priorityOf } from '../labels.ts'
import { arrayAt, idAt, linkAt, textAt, timeAt } from '../payload.ts'

export function issue({ payload }: Delivery): Mapping {
  const id = idAt(payload, 'object_attributes.id')
  const changedAt =
    timeAt(payload, 'object_attributes.updated_at') ?? timeAt(payload, 'object_attributes.created_at')
  const title = textAt(payload, 'object_attributes.title', maxTitle)
  if (id === null || changedAt === null || title === null)
    return { ignored: 'The issue has no ID, title or time.' }
  const labels = arrayAt(payload, 'labels').flatMap((label) => textAt(label, 'title', 100) ?? [])
  const isClosed = textAt(payload, 'object_attributes.state') === 'closed'
  return {
    changes: [
      {
        kind: 'ticket',
        externalId: `issue/${id}`,
        title,
        description: textAt(payload, 'object_attributes.description', maxMessage) ?? '',
        status: isClosed ? 'done' : isInProgress(labels) ? 'in_progress' : 'open',
        priority: priorityOf(labels),
        assignee: textAt(arrayAt(payload, 'assignees')[0], 'username', 100),
        url: linkAt(payload, 'object_attributes.url'),
        createdAt: timeAt(payload, 'object_attributes.created_at') ?? changedAt,
        startedAt: null,
        closedAt: isClosed ? (timeAt(payload, 'object_attributes.closed_at') ?? changedAt) : null,
        changedAt,
      },
    ],
  }
}
