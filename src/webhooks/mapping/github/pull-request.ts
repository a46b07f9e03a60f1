import { maxTitle, type Change, type Delivery, type Mapping } from '../change.ts'
import { closedIssues, isNumber } from '../closed-issues.ts'
import { cleanText, idAt, linkAt, serviceName, textAt, timeAt, valueAt } from '../payload.ts'

const shown: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  ready_for_review: 'ready for review',
  closed: 'closed',
}

export function pullRequest({ payload }: Delivery): Mapping {
  const action = textAt(payload, 'action') ?? ''
  const number = idAt(payload, 'pull_request.number')
  const title = textAt(payload, 'pull_request.title', maxTitle)
  if (!Object.hasOwn(shown, action) || number === null || title === null)
    return { ignored: `A pull request that is "${action}" is not used.` }
  const isMerged = action === 'closed' && valueAt(payload, 'pull_request.merged') === true
  const what = isMerged ? 'merged' : shown[action]
  const repository = textAt(payload, 'repository.name')
  const event: Change = {
    kind: 'event',
    type: 'sync',
    severity: 'info',
    service: serviceName(repository),
    source: 'github',
    title: cleanText(`Pull request #${number} ${what}: ${title}`, maxTitle) ?? title,
    message: `${textAt(payload, 'sender.login', 100) ?? 'Someone'}, ${repository ?? 'a repository'}`,
    metadata: {
      url: linkAt(payload, 'pull_request.html_url'),
      branch: textAt(payload, 'pull_request.head.ref'),
      base: textAt(payload, 'pull_request.base.ref'),
    },
    at: timeAt(payload, 'pull_request.updated_at'),
  }
  const request = requestOf(payload, Number(number), title)
  return { changes: [...(isMerged ? mergeCommit(payload) : []), event, ...request] }
}

/** For links: the address of its page is what sessions and people name it by. */
function requestOf(payload: unknown, number: number, title: string): Change[] {
  const url = linkAt(payload, 'pull_request.html_url')
  const repository = textAt(payload, 'repository.full_name')
  const changedAt = timeAt(payload, 'pull_request.updated_at')
  if (url === null || repository === null || changedAt === null || !isNumber(number)) return []
  const mergedAt = timeAt(payload, 'pull_request.merged_at')
  return [
    {
      kind: 'pull_request',
      url,
      repository,
      number,
      title,
      branch: textAt(payload, 'pull_request.head.ref', 300),
      author: textAt(payload, 'pull_request.user.login', 100),
      headSha: textAt(payload, 'pull_request.head.sha', 64),
      mergeSha: mergedAt && textAt(payload, 'pull_request.merge_commit_sha', 64),
      issues: closedIssues(
        textAt(payload, 'pull_request.body', 20_000),
        url.replace(/\/pull\/\d+$/, '/issues'),
      ),
      openedAt: timeAt(payload, 'pull_request.created_at'),
      mergedAt,
      changedAt,
    },
  ]
}

/** Where no push is sent, the time of the merge is the closest known to that of the commit. */
function mergeCommit(payload: unknown): Change[] {
  const sha = textAt(payload, 'pull_request.merge_commit_sha', 64)
  const committedAt = timeAt(payload, 'pull_request.merged_at')
  return sha === null || committedAt === null ? [] : [{ kind: 'commits', commits: [{ sha, committedAt }] }]
}
