import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { refuseUnknownFields } from './unknown-names.ts'

const target = z.object({ model: z.string(), weight: z.number().optional() })
const schema = z.object({
  name: z.string(),
  targets: z.array(target).default([]),
  labels: z.record(z.string(), z.string()).optional(),
  options: z.looseObject({}).optional(),
  when: z.union([z.object({ day: z.string() }), z.object({ hour: z.number() })]).optional(),
  limits: z.object({ amount: z.string() }).partial().nullable().optional(),
})
const refused = (body: object): string | null | undefined => refuseUnknownFields(schema, body)?.param

test('a field that a body does not have is named with its place', () => {
  assert.equal(refused({ name: 'a', expire_at: 1 }), 'expire_at')
  assert.equal(
    refused({ name: 'a', targets: [{ model: 'm' }, { model: 'm', wieght: 1 }] }),
    'targets.1.wieght',
  )
  assert.equal(refused({ name: 'a', limits: { amuont: '1' } }), 'limits.amuont')
  assert.equal(refused({ name: 'a', when: { day: 'Monday', hour: 1 } }), 'when.hour')
  assert.equal(refused(JSON.parse('{"name":"a","__proto__":1}') as object), '__proto__')
})

test('names that a body leaves open are accepted', () => {
  const body = {
    name: 'a',
    targets: [{ model: 'm', weight: 1 }],
    labels: { team: 'web' },
    options: { anything: { at: 'all' } },
    when: { hour: 1 },
    limits: null,
  }
  assert.equal(refuseUnknownFields(schema, body), undefined)
})
