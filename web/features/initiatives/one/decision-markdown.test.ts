import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '#initiatives/contract'
import { decisionMarkdown } from './decision-markdown.ts'

const decision = {
  title: 'Keep guest checkout',
  status: 'accepted',
  decided_at: '2026-11-16T09:30:00.000Z',
  decided_by: 'ada',
  context: '',
  options: ['Keep it', 'Remove it'],
  decision: 'Guests may buy.',
  rationale: 'A third do.\n',
  consequences: '',
} as unknown as Decision

test('a decision becomes a Markdown file without empty sections', () => {
  assert.equal(
    decisionMarkdown(decision),
    `# Keep guest checkout

- Status: accepted
- Date: 2026-11-16
- Decided by: ada

## Considered options

- Keep it
- Remove it

## Decision

Guests may buy.

## Rationale

A third do.
`,
  )
})
