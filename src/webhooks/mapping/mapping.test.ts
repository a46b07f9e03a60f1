import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change, Mapping } from './change.ts'
import { mappers } from './index.ts'

const deliver = (payload: unknown, event: string | null = null, deployWorkflows: string[] = []) => ({
  payload,
  event,
  receivedAt: new Date('2026-03-02T12:00:00Z'),
  deployWorkflows,
})

function changesIn(mapping: Mapping): Change[] {
  assert.ok('changes' in mapping, JSON.stringify(mapping))
  return mapping.changes
}

const githubDeployment = (state: string, at: string) => ({
  action: 'created',
  deployment_status: {
    state,
    created_at: at,
    updated_at: at,
    environment: 'production',
    log_url: 'https://ci.example/1',
  },
  deployment: {
    id: 7,
    sha: 'a'.repeat(40),
    ref: 'hotfix/receipts',
    created_at: '2026-03-02T10:00:00Z',
    creator: { login: 'ada' },
  },
  repository: { name: 'Checkout.Service' },
})

test('a deployment status of GitHub is a deployment of the repository', () => {
  const mapped = mappers.github(
    deliver(githubDeployment('success', '2026-03-02T10:04:00Z'), 'deployment_status'),
  )
  assert.deepEqual(changesIn(mapped), [
    {
      kind: 'deployment',
      externalId: 'deployment/7',
      service: 'checkout.service',
      environment: 'production',
      version: 'hotfix/receipts',
      status: 'succeeded',
      startedAt: new Date('2026-03-02T10:00:00Z'),
      finishedAt: new Date('2026-03-02T10:04:00Z'),
      commit: 'a'.repeat(40),
      committedAt: null,
      url: 'https://ci.example/1',
      deployedBy: 'ada',
      isRework: true,
      changedAt: new Date('2026-03-02T10:04:00Z'),
    },
  ])
})

test('a deployment that was only replaced by a later one keeps its result', () => {
  const mapped = mappers.github(
    deliver(githubDeployment('inactive', '2026-03-02T11:00:00Z'), 'deployment_status'),
  )
  assert.deepEqual(mapped, { ignored: 'The deployment status "inactive" is not used.' })
})

const run = {
  action: 'completed',
  workflow_run: {
    id: 9,
    run_attempt: 2,
    name: 'Deploy',
    path: '.github/workflows/deploy.yml',
    conclusion: 'failure',
    head_branch: 'main',
    head_sha: 'b'.repeat(40),
    run_started_at: '2026-03-02T10:00:00Z',
    updated_at: '2026-03-02T10:06:00Z',
    head_commit: { id: 'b'.repeat(40), timestamp: '2026-03-02T09:00:00+01:00', message: 'Add receipts' },
  },
  repository: { name: 'checkout' },
}

test('a workflow run is a deployment only where the webhook names its workflow', () => {
  const commits = {
    kind: 'commits',
    commits: [{ sha: 'b'.repeat(40), committedAt: new Date('2026-03-02T08:00:00Z') }],
  }
  for (const names of [['Deploy'], ['deploy.yml']]) {
    const [first, second] = changesIn(mappers.github(deliver(run, 'workflow_run', names)))
    assert.deepEqual(first, commits)
    assert.ok(second?.kind === 'deployment')
    assert.equal(second.externalId, 'run/9/2')
    assert.equal(second.status, 'failed')
    assert.deepEqual(second.finishedAt, new Date('2026-03-02T10:06:00Z'))
  }
  const [, other] = changesIn(mappers.github(deliver(run, 'workflow_run')))
  assert.ok(other?.kind === 'event')
  assert.deepEqual([other.type, other.severity, other.title], ['error', 'error', 'Deploy failed on main'])
})

test('an issue of GitHub is a ticket; why it was closed decides between done and cancelled', () => {
  const issue = (fields: object, action = 'closed') => ({
    action,
    issue: {
      id: 11,
      title: 'Receipts are sent twice',
      body: null,
      labels: [{ name: 'priority: high' }, { name: 'bug' }],
      assignee: { login: 'ada' },
      html_url: 'https://github.example/issues/1',
      created_at: '2026-03-01T08:00:00Z',
      updated_at: '2026-03-02T08:00:00Z',
      ...fields,
    },
  })
  const statusOf = (payload: unknown): string => {
    const [change] = changesIn(mappers.github(deliver(payload, 'issues')))
    assert.ok(change?.kind === 'ticket')
    return `${change.status} ${change.priority} ${change.closedAt?.toISOString() ?? 'open'}`
  }
  const closed = { state: 'closed', closed_at: '2026-03-02T07:59:00Z' }
  assert.equal(statusOf(issue({ state: 'open' }, 'opened')), 'open high open')
  assert.equal(
    statusOf(issue({ state: 'open', labels: [{ name: 'In progress' }] }, 'labeled')),
    'in_progress null open',
  )
  assert.equal(
    statusOf(issue({ ...closed, state_reason: 'completed' })),
    'done high 2026-03-02T07:59:00.000Z',
  )
  assert.equal(
    statusOf(issue({ ...closed, state_reason: 'not_planned' })),
    'cancelled high 2026-03-02T07:59:00.000Z',
  )
  assert.equal(statusOf(issue({ state: 'open' }, 'transferred')), 'cancelled high 2026-03-02T08:00:00.000Z')
})

const unsaid = {
  ...{ repository: 'shop/checkout', branch: 'main', message: undefined, author: undefined, url: undefined },
}

test('a pull request of GitHub has its branch, its commits and the issues that it closes', () => {
  const at = '2026-03-02T10:00:00Z'
  const body = 'Closes #12, fixes: https://github.com/shop/api/issues/3. See #99.'
  const payload = (more: object) => ({
    action: 'closed',
    pull_request: {
      ...{ number: 7, title: 'Receipts', body, html_url: 'https://github.com/shop/checkout/pull/7' },
      ...{ head: { ref: 'receipts', sha: 'a'.repeat(40) }, merge_commit_sha: 'b'.repeat(40), updated_at: at },
      ...{ created_at: at, user: { login: 'ada' }, ...more },
    },
    repository: { name: 'checkout', full_name: 'shop/checkout' },
  })
  const requestIn = (more: object) =>
    changesIn(mappers.github(deliver(payload(more), 'pull_request'))).find(
      ({ kind }) => kind === 'pull_request',
    )
  assert.deepEqual(requestIn({ merged: true, merged_at: at }), {
    ...{ kind: 'pull_request', url: 'https://github.com/shop/checkout/pull/7', repository: 'shop/checkout' },
    ...{ number: 7, title: 'Receipts', branch: 'receipts', author: 'ada' },
    ...{ headSha: 'a'.repeat(40), mergeSha: 'b'.repeat(40) },
    issues: ['https://github.com/shop/checkout/issues/12', 'https://github.com/shop/api/issues/3'],
    ...{ openedAt: new Date(at), mergedAt: new Date(at), changedAt: new Date(at) },
  })
  // Before the merge GitHub names a commit that only tries it.
  const open = requestIn({ merged: false, merged_at: null })
  assert.ok(open?.kind === 'pull_request')
  assert.deepEqual([open.mergeSha, open.mergedAt], [null, null])
  assert.equal(requestIn({ number: 'seven' }), undefined)
})

test('a pushed commit counts from the oldest commit that came with it', () => {
  const push = {
    ref: 'refs/heads/main',
    repository: { name: 'checkout', full_name: 'shop/checkout' },
    commits: [
      {
        ...{ id: '1'.repeat(40), timestamp: '2026-03-02T09:00:00Z', message: 'Add receipts (#7)\n\nMore' },
        ...{ url: 'https://github.com/shop/checkout/commit/1', author: { name: 'Ada' } },
      },
      { id: '2'.repeat(40), timestamp: '2026-03-01T09:00:00Z' },
      { id: '3'.repeat(40), timestamp: '2026-03-02T12:00:00Z' },
    ],
  }
  const [commits, event] = changesIn(mappers.github(deliver(push, 'push')))
  assert.deepEqual(commits, {
    kind: 'commits',
    commits: [
      {
        ...unsaid,
        ...{ sha: '1'.repeat(40), message: 'Add receipts (#7)', author: 'Ada' },
        ...{ committedAt: new Date('2026-03-02T09:00:00Z'), madeAt: new Date('2026-03-02T09:00:00Z') },
        url: 'https://github.com/shop/checkout/commit/1',
      },
      {
        ...{ ...unsaid, sha: '2'.repeat(40) },
        ...{ committedAt: new Date('2026-03-01T09:00:00Z'), madeAt: new Date('2026-03-01T09:00:00Z') },
      },
      {
        ...{ ...unsaid, sha: '3'.repeat(40) },
        ...{ committedAt: new Date('2026-03-01T09:00:00Z'), madeAt: new Date('2026-03-02T12:00:00Z') },
      },
    ],
  })
  assert.ok(event?.kind === 'event')
  assert.equal(event.title, '3 commits pushed to main in checkout')
})

test('a deployment of GitLab has its whole commit, and its local time is understood', () => {
  const payload = {
    object_kind: 'deployment',
    status: 'success',
    status_changed_at: '2026-03-02 21:50:00 +0200',
    deployment_id: 15,
    environment: 'staging',
    project: { id: 30, name: 'Checkout Service', path_with_namespace: 'shop/checkout' },
    short_sha: 'cccccccc',
    commit_url: `https://gitlab.example/shop/checkout/-/commit/${'c'.repeat(40)}`,
    user: { username: 'ada' },
  }
  const [change] = changesIn(mappers.gitlab(deliver(payload)))
  assert.ok(change?.kind === 'deployment')
  assert.equal(change.externalId, 'deployment/30/15')
  assert.equal(change.service, 'checkout')
  assert.equal(change.commit, 'c'.repeat(40))
  assert.deepEqual(change.finishedAt, new Date('2026-03-02T19:50:00Z'))
  assert.deepEqual(mappers.gitlab(deliver({ ...payload, status: 'canceled' })), {
    ignored: 'The deployment status "canceled" is not used.',
  })
})

test('a pipeline of GitLab says when its commit was made', () => {
  const payload = {
    object_kind: 'pipeline',
    object_attributes: {
      id: 31,
      name: 'Release',
      ref: 'main',
      sha: 'd'.repeat(40),
      status: 'success',
      created_at: '2026-03-02 10:00:00 UTC',
      finished_at: '2026-03-02 10:05:00 UTC',
    },
    project: { path_with_namespace: 'shop/checkout' },
    commit: { id: 'd'.repeat(40), timestamp: '2026-03-02T09:30:00+01:00' },
  }
  const [commits, event] = changesIn(mappers.gitlab(deliver(payload)))
  assert.deepEqual(commits, {
    kind: 'commits',
    commits: [{ sha: 'd'.repeat(40), committedAt: new Date('2026-03-02T08:30:00Z') }],
  })
  assert.ok(event?.kind === 'event')
  assert.equal(event.title, 'Release succeeded on main')
  const [, named] = changesIn(mappers.gitlab(deliver(payload, null, ['Release'])))
  assert.ok(named?.kind === 'deployment')
  assert.deepEqual(
    [named.startedAt, named.finishedAt],
    [new Date('2026-03-02T10:00:00Z'), new Date('2026-03-02T10:05:00Z')],
  )
})

test('merge requests of GitLab are used as pull requests of GitHub are', () => {
  const payload = (action: string, more: object = {}, changes: object = {}) => ({
    object_kind: 'merge_request',
    user: { username: 'ada' },
    project: { path_with_namespace: 'shop/checkout' },
    object_attributes: {
      ...{
        iid: 7,
        title: 'Receipts',
        action,
        url: 'https://gitlab.example/shop/checkout/-/merge_requests/7',
      },
      ...{ source_branch: 'receipts', target_branch: 'main', updated_at: '2026-03-02 10:05:00 UTC', ...more },
    },
    changes,
  })
  const opened = changesIn(mappers.gitlab(deliver(payload('open'))))
  assert.deepEqual(opened, [
    {
      kind: 'event',
      type: 'sync',
      severity: 'info',
      service: 'checkout',
      source: 'gitlab',
      title: 'Merge request !7 opened: Receipts',
      message: 'ada, checkout',
      metadata: {
        url: 'https://gitlab.example/shop/checkout/-/merge_requests/7',
        branch: 'receipts',
        base: 'main',
      },
      at: new Date('2026-03-02T10:05:00Z'),
    },
    {
      ...{ kind: 'pull_request', url: 'https://gitlab.example/shop/checkout/-/merge_requests/7' },
      ...{ repository: 'shop/checkout', number: 7, title: 'Receipts', branch: 'receipts', author: 'ada' },
      ...{ headSha: null, mergeSha: null, issues: [], openedAt: null, mergedAt: null },
      changedAt: new Date('2026-03-02T10:05:00Z'),
    },
  ])
  const [commits, merged] = changesIn(
    mappers.gitlab(deliver(payload('merge', { merge_commit_sha: 'e'.repeat(40) }))),
  )
  assert.deepEqual(commits, {
    kind: 'commits',
    commits: [{ sha: 'e'.repeat(40), committedAt: new Date('2026-03-02T10:05:00Z') }],
  })
  assert.ok(merged?.kind === 'event')
  assert.equal(merged.title, 'Merge request !7 merged: Receipts')
  const draft = { draft: { previous: true, current: false } }
  const [ready] = changesIn(mappers.gitlab(deliver(payload('update', {}, draft))))
  assert.ok(ready?.kind === 'event')
  assert.equal(ready.title, 'Merge request !7 ready for review: Receipts')
  assert.deepEqual(mappers.gitlab(deliver(payload('approved'))), {
    ignored: 'The action "approved" of a merge request is not used.',
  })
})

test('each time an alert fires is an alert of its own, and its end belongs to it', () => {
  const alert = (status: string, startsAt: string, endsAt: string) => ({
    status,
    labels: { alertname: 'HighErrorRate', service: 'Checkout', severity: 'warning' },
    annotations: { summary: 'Too many errors', runbook_url: 'javascript:alert(1)' },
    startsAt,
    endsAt,
    fingerprint: 'f1',
  })
  const map = (...alerts: object[]) =>
    changesIn(mappers.alertmanager(deliver({ version: '4', status: 'firing', alerts })))
  const [firing, resolved, again] = map(
    alert('firing', '2026-03-02T10:00:00Z', '0001-01-01T00:00:00Z'),
    alert('resolved', '2026-03-02T10:00:00Z', '2026-03-02T10:20:00Z'),
    alert('firing', '2026-03-02T11:00:00Z', '0001-01-01T00:00:00Z'),
  )
  assert.ok(firing?.kind === 'alert' && resolved?.kind === 'alert' && again?.kind === 'alert')
  assert.equal(firing.externalId, 'f1/2026-03-02T10:00:00.000Z')
  assert.equal(resolved.externalId, firing.externalId)
  assert.notEqual(again.externalId, firing.externalId)
  assert.deepEqual([firing.service, firing.severity, firing.endedAt], ['checkout', 'warning', null])
  assert.deepEqual(resolved.endedAt, new Date('2026-03-02T10:20:00Z'))
  assert.equal(firing.metadata['runbook'], null)
})

test('a generic item that is not valid is named with its field', () => {
  const item = {
    kind: 'deployment',
    id: '1',
    service: 'checkout',
    status: 'done',
    started_at: '2026-03-02T10:00:00Z',
  }
  assert.throws(() => mappers.generic(deliver([item])), { param: '0.status' })
  assert.throws(() => mappers.generic(deliver(item)), { param: 'status' })
  assert.throws(() => mappers.generic(deliver({ ...item, status: 'failed', id: 'a\0b' })), { param: 'id' })
  assert.throws(() => mappers.generic(deliver(Array.from({ length: 101 }, () => item))), { param: 'body' })
})

test('a payload of any other shape is ignored, never an error', () => {
  const odd = [{}, [], { repository: [], issue: 'x', alerts: [null, 1, {}], object_kind: '__proto__' }]
  for (const payload of odd)
    for (const kind of ['github', 'gitlab', 'alertmanager', 'grafana'] as const)
      for (const event of ['issues', 'push', 'deployment_status', 'workflow_run', 'pull_request', 'toString'])
        assert.ok('ignored' in mappers[kind](deliver(payload, event)), `${kind} ${event}`)
})
