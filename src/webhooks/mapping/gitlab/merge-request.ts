import { maxTitle, type Change, type Delivery, type Mapping } from '../change.ts'
import { closedIssues, isNumber } from '../closed-issues.ts'
import { cleanText, idAt, linkAt, textAt, timeAt, valueAt } from '../payload.ts'
import { serviceOf } from './project.ts'

const shown: Readonly<Record<string, string>> = {
  open: 'opened',
  reopen: 'reopened',
  ready: 'ready for review',
  close: 'closed',
  merge: 'merged',
}

/** As pull requests of GitHub: an event, and the merge commit. */
export function mergeRequest({ payload }: Delivery): Mapping {
  const action = isReady(payload) ? 'ready' : (textAt(payload, 'object_attributes.action') ?? '')
  const number = idAt(payload, 'object_attributes.iid')
  const title = textAt(payload, 'object_attributes.title', maxTitle)
  if (!Object.hasOwn(shown, action) || number === null || title === null)
    return { ignored: `The action "${action}" of a merge request is not used.` }
  const service = serviceOf(payload)
  const event: Change = {
    kind: 'event',
    type: 'sync',
    severity: 'info',
    service,
    source: 'gitlab',
    title: cleanText(`Merge request !${number} ${shown[action]}: ${title}`, maxTitle) ?? title,
    message: `${textAt(payload, 'user.username', 100) ?? 'Someone'}, ${service ?? 'a project'}`,
    metadata: {
      url: linkAt(payload, 'object_attributes.url'),
      branch: textAt(payload, 'object_attributes.source_branch'),
      base: textAt(payload, 'object_attributes.target_branch'),
    },
    at: timeAt(payload, 'object_attributes.updated_at'),
  }
  const request = requestOf(payload, Number(number), title)
  return { changes: [...(action === 'merge' ? mergeCommit(payload) : []), event, ...request] }
}

/** An update that takes the mark of a draft away; older versions of GitLab have another name for it. */
function isReady(payload: unknown): boolean {
  return ['draft', 'work_in_progress'].some(
    (name) =>
      valueAt(payload, `changes.${name}.previous`) === true &&
      valueAt(payload, `changes.${name}.current`) === false,
  )
}

/** For links: the address of its page is what sessions and people name it by. */
function requestOf(payload: unknown, number: number, title: string): Change[] {
  const url = linkAt(payload, 'object_attributes.url')
  const repository = textAt(payload, 'project.path_with_namespace', 500)
  const changedAt = timeAt(payload, 'object_attributes.updated_at')
  if (url === null || repository === null || changedAt === null || !isNumber(number)) return []
  const isMerged = textAt(payload, 'object_attributes.state') === 'merged'
  return [
    {
      kind: 'pull_request',
      url,
      repository,
      number,
      title,
      branch: textAt(payload, 'object_attributes.source_branch', 300),
      author: textAt(payload, 'user.username', 100),
      headSha: textAt(payload, 'object_attributes.last_commit.id', 64),
      mergeSha: isMerged ? mergeSha(payload) : null,
      issues: closedIssues(
        textAt(payload, 'object_attributes.description', 20_000),
        url.replace(/\/merge_requests\/\d+$/, '/issues'),
      ),
      openedAt: timeAt(payload, 'object_attributes.created_at'),
      mergedAt: isMerged ? (timeAt(payload, 'object_attributes.merged_at') ?? changedAt) : null,
      changedAt,
    },
  ]
}

const mergeSha = (payload: unknown): string | null =>
  textAt(payload, 'object_attributes.merge_commit_sha', 64) ??
  textAt(payload, 'object_attributes.squash_commit_sha', 64)

/** Where no push is sent, the time of the merge is the closest known to that of the commit. */
function mergeCommit(payload: unknown): Change[] {
  const sha = mergeSha(payload)
  const committedAt =
    timeAt(payload, 'object_attributes.merged_at') ?? timeAt(payload, 'object_attributes.updated_at')
  return sha === null || committedAt === null ? [] : [{ kind: 'commits', commits: [{ sha, committedAt }] }]
}
