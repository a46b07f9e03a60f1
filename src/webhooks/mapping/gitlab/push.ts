import { maxTitle, type Change, type Delivery, type Mapping } from '../change.ts'
import { cleanText, linkAt, textAt } from '../payload.ts'
import { pushedCommits } from '../pushed-commits.ts'
import { serviceOf } from './project.ts'

export function push({ payload }: Delivery): Mapping {
  const ref = textAt(payload, 'ref')
  const service = serviceOf(payload)
  if (ref === null || service === null) return { ignored: 'The push has no ref or project.' }
  const commits = pushedCommits(payload, textAt(payload, 'project.path_with_namespace', 500))
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const what = commits.length === 1 ? '1 commit' : `${commits.length} commits`
  const title = ref.startsWith('refs/tags/') ? `Tag ${name} pushed` : `${what} pushed to ${name}`
  const event: Change = {
    kind: 'event',
    type: 'sync',
    severity: 'info',
    service,
    source: 'gitlab',
    title: cleanText(`${title} in ${service}`, maxTitle) ?? service,
    message: textAt(payload, 'commits.0.title', maxTitle) ?? '',
    metadata: {
      url: linkAt(payload, 'project.web_url'),
      commit: textAt(payload, 'after', 64),
      by: textAt(payload, 'user_username', 100),
    },
    at: null,
  }
  return { changes: commits.length === 0 ? [event] : [{ kind: 'commits', commits }, event] }
}
