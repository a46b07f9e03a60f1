import { maxTitle, type Change, type Delivery, type Mapping } from '../change.ts'
import { pushedCommits } from '../pushed-commits.ts'
import { cleanText, linkAt, serviceName, textAt, timeAt, valueAt } from '../payload.ts'

export function push({ payload }: Delivery): Mapping {
  const ref = textAt(payload, 'ref')
  const repository = textAt(payload, 'repository.name')
  if (ref === null || repository === null) return { ignored: 'The push has no ref or repository.' }
  const commits = pushedCommits(payload, textAt(payload, 'repository.full_name'))
  const event: Change = {
    kind: 'event',
    type: 'sync',
    severity: 'info',
    service: serviceName(repository),
    source: 'github',
    title: cleanText(titleOf(payload, ref, repository, commits.length), maxTitle) ?? repository,
    message: textAt(payload, 'head_commit.message', 1_000) ?? '',
    metadata: {
      url: linkAt(payload, 'compare'),
      commit: textAt(payload, 'after', 64),
      by: textAt(payload, 'pusher.name', 100),
    },
    at: timeAt(payload, 'head_commit.timestamp'),
  }
  return { changes: commits.length === 0 ? [event] : [{ kind: 'commits', commits }, event] }
}

function titleOf(payload: unknown, ref: string, repository: string, count: number): string {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const what = ref.startsWith('refs/tags/') ? `Tag ${name}` : `Branch ${name}`
  if (valueAt(payload, 'deleted') === true) return `${what} deleted in ${repository}`
  if (ref.startsWith('refs/tags/') || count === 0) return `${what} pushed to ${repository}`
  return `${count} ${count === 1 ? 'commit' : 'commits'} pushed to ${name} in ${repository}`
}
