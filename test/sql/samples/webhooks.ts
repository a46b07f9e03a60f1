import * as commits from '../../../src/webhooks/commit-store.ts'
import * as requests from '../../../src/webhooks/pull-request-store.ts'
import * as deliveries from '../../../src/webhooks/delivery-store.ts'
import * as hooks from '../../../src/webhooks/hook-store.ts'
import type { WebhookTables } from '../../../src/webhooks/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const delivery = {
  id,
  hook_id: id,
  group_id: id,
  event: 'push',
  external_id: 'id',
  body_hash: hash,
  content_type: 'application/json',
  body: hash,
}

export const webhooks: Sample = async ({ tables, answer }) => {
  const db = tables<WebhookTables>()
  await hooks.insertHook(db, {
    id,
    group_id: id,
    kind: 'github',
    name: 'name',
    secret_id: id,
    deploy_workflows: [],
    created_by: id,
  })
  await hooks.countHooks(db, id)
  await hooks.listHooks(db, id)
  await hooks.findHook(db, [id], id)
  await hooks.updateHook(db, id, { name: 'name', is_active: true, secret_id: id, deploy_workflows: [] })
  await hooks.activeHook(db, 'github', id)
  await hooks.activeHooks(db, 'github', 32)

  // The delivery came before.
  answer([], [{ id, status: 'processed', reason: null, isMine: false }])
  await deliveries.takeDelivery(db, delivery, false)
  // The same body came long before.
  answer([], [{ id }], [{ id, status: 'pending', reason: null }])
  await deliveries.takeDelivery(db, delivery, true)
  await deliveries.restartDelivery(db, id)
  await deliveries.takeCutOff(db)
  answer([{ count: '1' }])
  await deliveries.countPending(db)
  await deliveries.failCutOff(db)
  await deliveries.finishDelivery(db, id, 'processed', null)
  const query = { groupId: id, hookId: undefined, status: undefined, before: undefined, limit: 50 }
  await deliveries.listDeliveries(db, query)
  await deliveries.listDeliveries(db, { ...query, hookId: id, status: 'failed', before: id })
  await deliveries.findDelivery(db, [id], id)
  await deliveries.deleteOldDeliveries(db, at, 500)

  await commits.saveCommits(db, id, [{ sha: 'sha', committedAt: at }])
  await commits.commitTime(db, id, 'sha')
  await commits.deleteOldCommits(db, at, 500)
  await requests.savePullRequest(db, id, {
    ...{
      kind: 'pull_request',
      url: 'url',
      repository: 'a/b',
      number: 7,
      title: 'title',
      branch: null,
      author: null,
    },
    ...{ headSha: null, mergeSha: null, issues: [], openedAt: null, mergedAt: null, changedAt: at },
  })
  await requests.deleteOldPullRequests(db, at, 500)
}
