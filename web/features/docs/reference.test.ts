import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curlFor } from './curl.ts'
import { groupByTag, operationsOf, type OpenApi } from './openapi.ts'
import { exampleOf, rowsOf, typeName } from './schema.ts'

const key = {
  type: 'object',
  required: ['name', 'scopes'],
  properties: {
    name: { type: 'string', description: 'What it is called' },
    scopes: { type: 'array', items: { type: 'string', enum: ['gateway', 'read'] } },
    expires_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    parent: { $ref: '#/components/schemas/Key' },
  },
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const document: OpenApi = {
  tags: [{ name: 'Keys', description: 'What programs show' }],
  paths: {
    '/livez': { get: { summary: 'Alive', security: [], responses: { '200': { description: 'Yes' } } } },
    '/api/v1/keys': {
      post: { tags: ['Keys'], summary: 'Create', requestBody: json({ $ref: '#/components/schemas/Key' }) },
    },
    '/api/v1/keys/{id}': { delete: { tags: ['Keys'], summary: 'Revoke', operationId: 'revokeKey' } },
  },
  components: { schemas: { Key: key } },
}

test('operations are grouped in the order of the tags and found by every word', () => {
  assert.deepEqual(
    groupByTag(document, '').map(({ name, operations }) => [name, operations.length]),
    [
      ['Keys', 2],
      ['Other', 1],
    ],
  )
  assert.deepEqual(
    groupByTag(document, 'delete KEYS').map(({ operations }) => operations[0]?.id),
    ['revokeKey'],
  )
  assert.deepEqual(groupByTag(document, 'nothing'), [])
})

test('a response without a description of its own still says what it means', () => {
  const paths = { '/a': { delete: { responses: { '204': { description: 'Default Response' } } } } }
  assert.equal(operationsOf({ paths })[0]?.responses[0]?.description, 'Done; the answer is empty')
})

test('types are told in a few words', () => {
  const rows = rowsOf({ $ref: '#/components/schemas/Key' }, document).filter(({ depth }) => depth === 0)
  assert.deepEqual(
    rows.map(({ name, type, required }) => [name, type, required]),
    [
      ['name', 'string', true],
      ['scopes', 'list of gateway | read', true],
      ['expires_at', 'string (date-time) or null', false],
      ['parent', 'object', false],
    ],
  )
  assert.equal(typeName({ type: 'string', nullable: true }, document), 'string or null')
})

test('a schema that holds itself comes to an end', () => {
  assert.ok(rowsOf({ $ref: '#/components/schemas/Key' }, document).length < 50)
})

test('an example holds what is required', () => {
  assert.deepEqual(exampleOf({ $ref: '#/components/schemas/Key' }, document), {
    name: 'text',
    scopes: ['gateway'],
  })
})

test('the call carries the key unless anyone may make it', () => {
  const calls = operationsOf(document).map((operation) => curlFor(operation, document, 'http://box'))
  assert.equal(calls[0], 'curl "http://box/livez"')
  assert.match(
    calls[1] ?? '',
    /-X POST[^]*Bearer \$SIGNALBOX_KEY[^]*Content-Type: application\/json[^]*-d '\{/,
  )
  assert.match(calls[2] ?? '', /-X DELETE "http:\/\/box\/api\/v1\/keys\/ID"/)
})
