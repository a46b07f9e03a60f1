import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { exampleModels, type GatewayProduct } from '#test/gateway'

/** A story over all kinds of things, told through the public doors: hooks, transcripts, requests and records. */

const hourMs = 3_600_000
export const sha = 'c'.repeat(40)
export const pullRequest = 'https://github.com/shop/checkout/pull/7'
const issues = 'https://github.com/shop/checkout/issues'

/** One dollar per million tokens read, two per million written. */
export async function setPrice(it: GatewayProduct): Promise<void> {
  await it.call(`/api/v1/pricing/${exampleModels.openai}`, {
    method: 'PUT',
    json: { input_price_per_1m: '1', output_price_per_1m: '2' },
  })
}

export async function ask(
  it: GatewayProduct,
  session: string | null,
  input: number,
  output: number,
): Promise<string> {
  it.fake.script('openai', { text: 'ok', usage: { input, output } })
  const answer = await it.call('/v1/chat/completions', {
    key: it.key,
    json: { model: exampleModels.openai, messages: [{ role: 'user', content: 'x' }] },
    headers: session === null ? {} : { 'x-signalbox-session': session },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.headers.get('x-request-id') ?? ''
}

export interface SessionFields {
  prompt: string
  branch?: string
  folder?: string
  pullRequest?: string
}

/** A session of Claude Code; its ID and the key that its requests carry. */
export async function session(
  it: GatewayProduct,
  { prompt, branch = 'main', folder = '/home/dev/notes', pullRequest: opened }: SessionFields,
): Promise<{ id: string; key: string }> {
  const key = randomUUID()
  const at = new Date().toISOString()
  const line = {
    ...{ type: 'user', uuid: randomUUID(), sessionId: key, timestamp: at, cwd: folder, gitBranch: branch },
    message: { role: 'user', content: prompt },
  }
  const link = { type: 'pr-link', prUrl: opened, sessionId: key }
  const lines = [line, ...(opened === undefined ? [] : [link])].map((each) => JSON.stringify(each))
  const answer = await it.call('/api/transcripts/ingest', {
    json: {
      ...{ machine: 'laptop', assistant: 'claude-code', root: '/home/dev/.claude', generation: 0 },
      path: `projects/${folder.replaceAll('/', '-')}/${key}.jsonl`,
      ...{ from: 0, to: lines.join('\n').length + 1, identity: null, lines },
    },
  })
  assert.equal(answer.status < 300, true, answer.text)
  return { id: (await it.call(`/api/transcripts?external_id=${key}`)).json.data[0].id, key }
}

/** A session of Qwen Code that has the ID of another. */
export async function twin(
  it: GatewayProduct,
  key: string,
  { prompt, folder = '/home/dev/notes' }: SessionFields,
): Promise<void> {
  const line = {
    ...{ uuid: randomUUID(), parentUuid: null, sessionId: key, timestamp: new Date().toISOString() },
    ...{ type: 'user', cwd: folder, message: { role: 'user', parts: [{ text: prompt }] } },
  }
  const lines = [JSON.stringify(line)]
  await make(it, '/api/transcripts/ingest', {
    ...{ machine: 'laptop', assistant: 'qwen', root: '/home/dev/.qwen', generation: 0 },
    path: `projects/${folder.replaceAll('/', '-')}/chats/${key}.jsonl`,
    ...{ from: 0, to: lines.join('\n').length + 1, identity: null, lines },
  })
}

export async function make(
  it: GatewayProduct,
  path: string,
  json: object,
  headers = {},
): Promise<{ id: string }> {
  const answer = await it.call(path, { json, headers })
  assert.ok(answer.status === 200 || answer.status === 201, `${path}: ${answer.status} ${answer.text}`)
  return answer.json
}

/** A delivery as GitHub sends it. */
export async function sendFromGitHub(it: GatewayProduct, event: string, content: object): Promise<void> {
  const hook = (await it.call('/api/webhooks', { json: { kind: 'github', name: `for ${event}` } })).json
  const payload = JSON.stringify(content)
  const signature = createHmac('sha256', hook.secret).update(payload).digest('hex')
  const answer = await it.call(`/api/webhooks/github/${hook.id}`, {
    body: payload,
    headers: {
      ...{ 'content-type': 'application/json', 'x-owner-token': '', 'x-github-event': event },
      ...{ 'x-github-delivery': randomUUID(), 'x-hub-signature-256': `sha256=${signature}` },
    },
  })
  assert.equal(answer.json.status, 'processed', answer.text)
}

export async function mergePullRequest(it: GatewayProduct, body: string): Promise<void> {
  const now = Date.now()
  await sendFromGitHub(it, 'pull_request', {
    action: 'closed',
    pull_request: {
      ...{ number: 7, title: 'Round totals to the cent', body, html_url: pullRequest, merged: true },
      head: { ref: 'fix/12-rounding', sha: 'd'.repeat(40) },
      base: { ref: 'main' },
      merge_commit_sha: sha,
      created_at: new Date(now - hourMs).toISOString(),
      merged_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
      user: { login: 'ada' },
    },
    repository: { name: 'checkout', full_name: 'shop/checkout' },
    sender: { login: 'ada' },
  })
}

/** Decision → ticket → session → pull request → commit → deployment → incident. */
export async function tellStory(it: GatewayProduct) {
  const initiative = (await make(it, '/api/initiatives', { title: 'Totals that add up' })).id
  await make(it, `/api/initiatives/${initiative}/criteria`, {
    ...{ text: 'No total is off by a cent', confidence: 40, reason: 'First guess' },
  })
  const decided = await it.call(`/api/initiatives/${initiative}/decisions`, {
    json: {
      title: 'Round once, at the end',
      decision: 'Lines are not rounded.',
      rationale: 'Errors add up.',
    },
  })
  const decision = decided.json.decisions[0].id as string
  const criterion = decided.json.criteria[0].id as string
  await it.call(`/api/initiatives/${initiative}/criteria/${criterion}`, {
    method: 'PATCH',
    json: { confidence: 70, reason: 'The totals of March add up' },
  })
  const ticket = (
    await make(it, '/api/tickets', {
      title: 'Totals are off by one cent',
      description: `From the decision /initiatives/${initiative}?decision=${decision}`,
      initiative_id: initiative,
      url: `${issues}/12`,
    })
  ).id
  const work = await session(it, {
    ...{ prompt: `Fix ${issues}/12, please.`, branch: 'fix/12-rounding', folder: '/home/dev/checkout' },
    pullRequest: `${pullRequest}/files`,
  })
  await mergePullRequest(it, 'Rounds once.\n\nFixes #12.')
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  const service = (await make(it, '/api/services', { name: 'checkout', title: 'Checkout' })).id
  const deployment = (
    await make(it, '/api/deployments', {
      ...{
        service: 'checkout',
        environment: 'production',
        version: '1.4.0',
        status: 'succeeded',
        commit: sha,
      },
      ...{ started_at: at(15), finished_at: at(12) },
    })
  ).id
  const incident = (
    await make(it, '/api/incidents', { service: 'checkout', cause: 'Receipts fail', opened_at: at(10) })
  ).id
  return { initiative, decision, ticket, work, service, deployment, incident }
}
