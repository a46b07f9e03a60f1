import { createHmac } from 'node:crypto'
import type { Filling } from '../filling.ts'
import { repository } from '../words.ts'
import { commitOf, issueUrl, storyNumber } from './work.ts'

export const storyPullRequest = `${repository}/pull/41`
export const storyBranch = `fix/${storyNumber}-rounding`

/** A pull request and its commits as a sender of webhooks reports them: signed, without our credentials. */
export async function addCommits({ call, ago }: Filling): Promise<void> {
  const hook = await call<{ id: string; url: string; secret: string }>('/api/webhooks', {
    json: { kind: 'generic', name: 'Repository of the shop (demo)' },
  })
  const commit = {
    ...{ sha: commitOf(storyNumber), committed_at: ago(1, 9, 30), repository: 'shop/checkout' },
    ...{ branch: storyBranch, message: 'Round totals once, at the end', author: 'Ben' },
  }
  const pullRequest = {
    ...{
      url: storyPullRequest,
      repository: 'shop/checkout',
      number: 41,
      title: 'Round totals once, at the end',
    },
    ...{ branch: storyBranch, author: 'Ben', merge_sha: commit.sha, issues: [issueUrl(storyNumber)] },
    ...{ opened_at: ago(2, 11), merged_at: ago(1, 9, 30), changed_at: ago(1, 9, 30) },
  }
  const items = [
    { kind: 'commits', commits: [commit] },
    { kind: 'pull_request', ...pullRequest },
  ]
  const time = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', hook.secret)
    .update(`${time}.${JSON.stringify(items)}`)
    .digest('hex')
  await call(`/api/webhooks/generic/${hook.id}`, {
    json: items,
    headers: { 'x-signalbox-timestamp': String(time), 'x-signalbox-signature': `sha256=${signature}` },
  })
}

/** The deployment that failed yesterday, its incident, and the one that repaired it. */
export async function addStory({ call, ago }: Filling): Promise<void> {
  const common = { service: 'checkout', environment: 'production', deployed_by: 'Ben', source: 'demo' }
  const { id: deployment } = await call<{ id: string }>('/api/deployments', {
    json: {
      ...common,
      ...{ version: '3.0.0', commit: commitOf(storyNumber), committed_at: ago(1, 9, 30), status: 'failed' },
      ...{ started_at: ago(1, 10), finished_at: ago(1, 10, 6), external_id: 'story' },
    },
  })
  const { id: incident } = await call<{ id: string }>('/api/incidents', {
    json: {
      ...{ service: 'checkout', cause: 'Carts with a voucher return 500', deployment_id: deployment },
      note: 'The voucher was still rounded on its line. Repaired by version 3.0.1.',
      ...{ opened_at: ago(1, 10, 8), closed_at: ago(1, 11, 2) },
    },
  })
  await call('/api/deployments', {
    json: {
      ...common,
      ...{
        version: '3.0.1',
        commit: commitOf(storyNumber + 1),
        committed_at: ago(1, 10, 40),
        status: 'succeeded',
      },
      ...{ started_at: ago(1, 10, 50), finished_at: ago(1, 10, 58), external_id: 'story-repair' },
      ...{ is_rework: true, incident_id: incident },
    },
  })
}
