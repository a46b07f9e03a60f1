import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from '../../chat/testing.ts'
import { toGeminiSchema } from './schema.ts'

const rewrite = (schema: object) => toGeminiSchema(schema as Record<string, unknown>, 'here')

test('words that Gemini does not know are rewritten or told in the description', () => {
  const given = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      kind: { const: 'cat' },
      name: { type: 'string', pattern: '^a', minLength: 2, description: 'A name.', default: 'x' },
      flag: { const: true },
      tuple: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      open: { type: 'object', additionalProperties: { type: 'string', not: {} } },
      any: true,
    },
    required: ['kind'],
    additionalProperties: false,
  }
  const before = structuredClone(given)
  assert.deepEqual(rewrite(given), {
    type: 'object',
    properties: {
      kind: { enum: ['cat'] },
      name: { type: 'string', description: 'A name. Must satisfy: pattern "^a"; minLength 2.' },
      flag: { description: 'Must satisfy: const true.' },
      tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      open: {
        type: 'object',
        additionalProperties: { type: 'string', description: 'Must satisfy: not {}.' },
      },
      any: {},
    },
    required: ['kind'],
    additionalProperties: false,
  })
  assert.deepEqual(given, before)
})

test('properties that are named like words of the language survive', () => {
  const properties = { default: { type: 'string' }, pattern: { type: 'string' }, $ref: { type: 'string' } }
  assert.deepEqual(rewrite({ type: 'object', properties }), { type: 'object', properties })
})

test('references keep their definitions and lose what may not stand beside them', () => {
  const schema = {
    definitions: {
      node: { type: 'object', properties: { next: { $ref: '#/definitions/node', description: 'x' } } },
    },
    type: 'object',
    properties: { head: { $ref: '#/definitions/node' } },
  }
  assert.deepEqual(rewrite(schema), {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    type: 'object',
    properties: { head: { $ref: '#/$defs/node' } },
  })
})

test('allOf is folded in, with its references looked up', () => {
  const schema = {
    $defs: { base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    allOf: [{ $ref: '#/$defs/base' }, { properties: { age: { type: 'integer' } }, required: ['age'] }],
  }
  assert.deepEqual(rewrite(schema), {
    $defs: { base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    type: 'object',
    properties: { id: { type: 'string' }, age: { type: 'integer' } },
    required: ['id', 'age'],
  })
  assert.deepEqual(rewrite({ properties: { a: { allOf: [{ $ref: '#/$defs/x' }], description: 'd' } } }), {
    properties: { a: { $ref: '#/$defs/x' } },
  })
})

test('a nullable object keeps its properties, and null in an enumeration stays possible', () => {
  const properties = { a: { type: 'string' } }
  assert.deepEqual(rewrite({ type: 'object', properties, nullable: true, description: 'd' }), {
    anyOf: [{ type: 'object', properties }, { type: 'null' }],
    description: 'd',
  })
  assert.deepEqual(rewrite({ type: ['string', 'null'], enum: ['a', 'b', null] }), {
    anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
  })
  assert.deepEqual(rewrite({ anyOf: [{ type: 'object', properties }, { type: 'null' }] }), {
    anyOf: [{ type: 'object', properties }, { type: 'null' }],
  })
})

test('a schema that refers to itself through allOf is refused, quickly', () => {
  const branch = { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }
  const fault = faultOf(() => rewrite({ $defs: { a: branch }, type: 'object', ...branch }))
  assert.equal(fault.param, 'here')
})
