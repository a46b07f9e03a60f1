import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createHttp, type ApiDocument } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { startProduct, temporaryFolder } from '#test/product'
import { routesText } from '../../scripts/web-routes/routes-text.ts'
import { examplesIn } from './examples.ts'
import { gapsIn } from './gaps.ts'
import { validatorOf } from './validator.ts'

const root = join(import.meta.dirname, '../..')
const product = await startProduct()
const { json, text } = await product.call('/openapi.json')
const document = json as ApiDocument

test('every route has an ID, a summary, schemas, error responses and examples', () => {
  assert.ok(Object.keys(document.paths).length > 50)
  assert.deepEqual(gapsIn(document), [])
})

test('the dashboard’s calls have the types of the routes as they are', () => {
  const written = readFileSync(join(root, 'web/api/routes.ts'), 'utf8').replaceAll('\r\n', '\n')
  assert.ok(written === routesText(document), 'web/api/routes.ts is out of date: run npm run web:routes')
})

test('a route that says nothing about itself is found', async () => {
  const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
  const resolvers = {
    apiKey: refuse,
    keyForAccessToken: refuse,
    session: refuse,
    isOwnerToken: () => false,
    localOwner: refuse,
  }
  const app = await createHttp({
    config: product.config,
    log,
    metrics: createMetrics(),
    resolvers,
    version: 'test',
  })
  const body = z.object({ name: z.string() })
  const schema = { querystring: z.object({ limit: z.string().optional() }), body }
  app.post('/planted/:id', { config: { needs: 'read' }, schema }, () => null)
  await app.ready()
  assert.deepEqual(
    gapsIn(app.apiDocument()).filter((gap) => gap.startsWith('POST /planted')),
    [
      'POST /planted/{id}: no operationId',
      'POST /planted/{id}: no summary',
      'POST /planted/{id}: not in one tag',
      'POST /planted/{id}: path parameters without a schema',
      'POST /planted/{id}: the parameter limit has no description',
      'POST /planted/{id}: no example of the body (application/json)',
      'POST /planted/{id}: no successful response',
    ],
  )
  await app.close()
})

test('what creates something links to every operation that takes its ID', () => {
  const linksOf = (path: string, status: string): Record<string, unknown> => {
    const response = document.paths[path]?.['post']?.responses[status]
    const links = response && !('$ref' in response) ? (response.links ?? {}) : {}
    return Object.fromEntries(Object.values(links).map((link) => [link.operationId, link.parameters]))
  }
  const id = '$response.body#/id'
  assert.deepEqual(linksOf('/api/tickets', '201'), {
    getTicket: { id },
    updateTicket: { id },
    deleteTicket: { id },
    assignTicket: { id },
  })
  assert.deepEqual(linksOf('/api/agents/{id}/ask', '202')['cancelAgentRun'], {
    run_id: '$response.body#/run_id',
  })
  // In another place than the collection, below something else, and as part of the whole.
  assert.deepEqual(linksOf('/providers/{provider_id}', '201')['deleteProviderKey'], { key_id: id })
  assert.deepEqual(linksOf('/api/v1/groups/{id}/invitations', '201'), {
    deleteInvitation: { id: '$request.path.id', invitation_id: id },
  })
  assert.deepEqual(linksOf('/api/initiatives/{id}/findings', '201'), {
    removeFinding: { id: '$request.path.id', detail: '$response.body#/findings/0/id' },
  })
})

test('the linter has neither errors nor warnings', async () => {
  const file = join(temporaryFolder(), 'openapi.json')
  writeFileSync(file, text)
  const program = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'lint', file, '--extends', 'recommended', '--format', 'json'],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' } },
  ).catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    totals: { errors: number; warnings: number }
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
  }
  const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
  assert.deepEqual(found, [])
  assert.deepEqual([totals.errors, totals.warnings], [0, 0])
})

test('every example matches its schema', () => {
  const examples = examplesIn(document)
  const validate = validatorOf(document)
  assert.ok(examples.length > 150, `${examples.length} examples`)
  assert.deepEqual(
    examples.map(({ schema, value }) => validate(schema, value)).filter((problem) => problem !== undefined),
    [],
  )
})

test('an example that does not match its schema is found', () => {
  const body = document.paths['/api/v1/keys']?.['post']?.requestBody?.content['application/json']
  const validate = validatorOf(document)
  const at = '/paths/~1api~1v1~1keys/post/requestBody/content/application~1json/schema'
  assert.equal(validate(at, body?.example), undefined)
  assert.match(validate(at, { name: '  ' }) ?? '', /must match pattern/)
  assert.match(validate(at, {}) ?? '', /must have required property 'name'/)
})

test('the gateway comes first, in the tags and in the paths', () => {
  assert.equal(document.tags[0]?.name, 'Gateway')
  assert.equal(Object.keys(document.paths)[0], '/v1/chat/completions')
})

test('the document says no less than the server checks', async () => {
  const validate = validatorOf(document)
  const cases = [
    ['post', '/api/v1/search', { query: ' ' }],
    ['post', '/api/v1/keys', { name: ' ' }],
    ['put', '/api/v1/pricing', [{ model_id: 'm', input_price_per_1m: 'free', output_price_per_1m: '1' }]],
    ['put', '/api/v1/pricing', [{ model_id: 'm', input_price_per_1m: -1, output_price_per_1m: '1' }]],
    ['post', '/api/v1/keys', { name: 'CI', expire_at: '2030-01-01T00:00:00Z' }],
    ['post', '/api/v1/embed', { text: '' }],
    ['post', '/v1/embeddings', { input: [] }],
    ['post', '/v1/chat/completions', { model: 'gpt-6-sol', messages: [] }],
  ] as const
  for (const [method, path, body] of cases) {
    const { status } = await product.call(path, {
      method: method.toUpperCase(),
      json: body,
      key: product.key,
    })
    assert.equal(status, 400, `${path} ${JSON.stringify(body)}`)
    const at = `/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`
    assert.ok(validate(at, body), `${path} ${JSON.stringify(body)} matches the document`)
  }
})

test('days and dates of a period are as narrow in the document as on the server', async () => {
  const path = '/api/analytics/deployments'
  const parameters = document.paths[path]?.['get']?.parameters ?? []
  const validate = validatorOf(document)
  const values = {
    days: { right: ['1', '99', '365', '366'], wrong: ['0', '367', '999999', '-1', '1.5'] },
    from: {
      right: ['2026-03-01', '2026-03-01T09:30:00Z'],
      wrong: ['1970-01-01', '2100-01-01', '2026-02-30', 'x'],
    },
  }
  for (const [name, { right, wrong }] of Object.entries(values)) {
    const at = `/paths/${path.replaceAll('/', '~1')}/get/parameters/${parameters.findIndex((each) => each.name === name)}/schema`
    for (const value of [...right, ...wrong]) {
      const { status } = await product.call(
        `${path}?${name}=${value}${name === 'from' ? '&to=2026-03-02' : ''}`,
      )
      assert.equal(status === 400, wrong.includes(value), `${name}=${value}: ${status}`)
      assert.equal(
        validate(at, value) !== undefined,
        wrong.includes(value),
        `${name}=${value} in the document`,
      )
    }
  }
})

async function refuse(): Promise<never> {
  throw new Error('nobody calls')
}
