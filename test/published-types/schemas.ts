import type { Random } from './random.ts'

export type JsonSchema = Record<string, unknown>

const propertyNames = ['city', 'days', 'unit', 'place', 'tags', 'note', 'limit', 'isExact']

/** Open schemas use words that providers must be spared; closed ones are what strict modes ask for. */
export function objectSchema(random: Random, isClosed: boolean, depth = 0): JsonSchema {
  const names = propertyNames.filter(() => random.chance(35))
  const properties = Object.fromEntries(names.map((name) => [name, anySchema(random, isClosed, depth + 1)]))
  const required = isClosed ? names : names.filter(() => random.chance(50))
  return {
    type: 'object',
    properties,
    ...(isClosed || required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
    ...(!isClosed && random.chance(20) ? { additionalProperties: random.pick([true, false]) } : {}),
    ...(random.chance(30) ? { description: 'What is asked for.' } : {}),
    ...(!isClosed && depth === 0 && random.chance(20)
      ? { $schema: 'https://json-schema.org/draft/2020-12/schema' }
      : {}),
  }
}

function anySchema(random: Random, isClosed: boolean, depth: number): JsonSchema {
  const kinds =
    depth < 3 ? ['text', 'number', 'choice', 'flag', 'list', 'object', 'either'] : ['text', 'flag']
  switch (random.pick(kinds)) {
    case 'number':
      return {
        type: random.pick(['integer', 'number']),
        ...(isClosed ? {} : random.some(40, { minimum: [0, 1], maximum: [10], multipleOf: [2] })),
      }
    case 'choice':
      return { type: 'string', enum: random.times(1, 3, (index) => `choice ${index}`) }
    case 'flag':
      return { type: 'boolean' }
    case 'list':
      return {
        type: 'array',
        items: anySchema(random, isClosed, depth + 1),
        ...(isClosed ? {} : random.some(30, { minItems: [1], maxItems: [5], uniqueItems: [true] })),
      }
    case 'object':
      return objectSchema(random, isClosed, depth)
    case 'either':
      return { anyOf: [anySchema(random, isClosed, depth + 1), { type: 'null' }] }
    default:
      return {
        type: 'string',
        ...(isClosed
          ? {}
          : random.some(30, { format: ['date', 'email'], pattern: ['^[a-z]+$'], maxLength: [40] })),
      }
  }
}
