import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpus } from '#test/sql-corpus'
import { dataEngineerPolicy, policySchema, storedPolicySchema } from './policy.ts'

test('the built-in policy is valid, and words of operations are written in capitals', () => {
  assert.deepEqual(policySchema.parse(dataEngineerPolicy), dataEngineerPolicy)
  const policy = policySchema.parse({ ...dataEngineerPolicy, requires_approval: [' drop table '] })
  assert.deepEqual(policy.requires_approval, ['DROP TABLE'])
})

const wrong: [name: string, change: Record<string, unknown>, path: string][] = [
  ['a misspelt key', { allowed_operation: ['SELECT'] }, ''],
  ['an unknown key', { read_only: true }, ''],
  ['no list', { allowed_operations: 'SELECT' }, 'allowed_operations'],
  ['an operation that is no word', { allowed_operations: ['SELECT; DROP'] }, 'allowed_operations.0'],
  ['two spaces', { allowed_operations: ['DROP  TABLE'] }, 'allowed_operations.0'],
  ['an empty entry', { requires_approval: [''] }, 'requires_approval.0'],
  ['a wildcard', { requires_approval: ['*'] }, 'requires_approval.0'],
  ['a misspelt operation', { requires_approval: ['TRUNCATE', 'DORP'] }, 'requires_approval.1'],
  ['a misspelt object', { allowed_operations: ['CREATE TABEL'] }, 'allowed_operations.0'],
  ['half a word', { allowed_operations: ['DROP TAB'] }, 'allowed_operations.0'],
  ['a call instead of a function', { allowed_functions: ['nextval()'] }, 'allowed_functions.0'],
  ['another environment', { environment: 'production' }, 'environment'],
  ['a missing key', { requires_approval: undefined }, 'requires_approval'],
  ['four eyes in words', { four_eyes: 'yes' }, 'four_eyes'],
]

test('a policy with a mistake is refused, with the place of the mistake', () => {
  for (const [name, change, path] of wrong) {
    const result = policySchema.safeParse({ ...dataEngineerPolicy, ...change })
    assert.equal(result.success, false, name)
    assert.equal(result.error?.issues[0]?.path.join('.'), path, name)
  }
})

test('every operation that a statement can have may be in a policy, and so may its first words', () => {
  const named = [...new Set(corpus.flatMap(({ operations }) => operations ?? []))]
  const entries = [...named, ...named.map((name) => name.split(' ')[0] ?? '')]
  assert.deepEqual(
    policySchema.parse({ ...dataEngineerPolicy, allowed_operations: entries }).allowed_operations,
    entries,
  )
})

test('a policy that was stored with a word that names no operation is still read', () => {
  const stored = { ...dataEngineerPolicy, requires_approval: ['DORP'] }
  assert.deepEqual(storedPolicySchema.parse(stored), stored)
})
