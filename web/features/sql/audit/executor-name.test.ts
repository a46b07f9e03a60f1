import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executorName } from './executor-name.ts'

const ada = { id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a', name: 'Ada', email: 'ada@example.com' }
const asked = { user: ada, agent_id: 'data-engineer', agent_version: null, run_id: null, request: null }
const ofRun = { ...asked, agent_version: 3, run_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0b' }
const askerName = () => 'Ada, with Data engineer (version 3)'

test('the audit log names who decided, not who asked', () => {
  for (const [executor, asked_by, shown] of [
    ['bob@example.com', ofRun, 'bob@example.com'],
    ['ada@example.com', ofRun, 'Ada'],
    ['key run 17', ofRun, 'Ada, with Data engineer (version 3)'],
    ['key ci', asked, 'key ci'],
    ['ada@example.com', asked, 'Ada'],
  ] as const)
    assert.equal(executorName({ executor, asked_by }, askerName), shown)
})
