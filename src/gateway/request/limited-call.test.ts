import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitedCall } from './limited-call.ts'

type Given = Parameters<typeof limitedCall>

function callOf(path: string, body: Record<string, unknown>) {
  const entry = {
    requestId: '',
    startedAt: new Date(0),
    groupId: '',
    apiKeyId: null,
    userLabel: null,
    metadata: null,
  }
  const request = { principal: { user: null } } as unknown as Given[0]
  const raw = Buffer.from(JSON.stringify(body))
  return limitedCall(request, entry, { provider: 'openai', model: 'm' }, { path }, { raw, body })
}

test('a length counts only where the API has it, and the larger of two', () => {
  const all = { max_tokens: 64_000, max_completion_tokens: 1, max_output_tokens: 2 }
  for (const [path, body, expected] of [
    ['/v1/messages', all, 64_000],
    ['/v1/responses', all, 2],
    ['/v1/chat/completions', all, 64_000],
    ['/v1/chat/completions', { max_completion_tokens: 5 }, 5],
    ['/v1/chat/completions', { max_output_tokens: 1 }, null],
    ['/v1/messages', { max_completion_tokens: 1 }, null],
    ['/v1/responses', { max_tokens: 1 }, null],
  ] as const)
    assert.equal(callOf(path, body).maxOutputTokens, expected, `${path} ${JSON.stringify(body)}`)
})

test('a file counts as a picture, and a text as what it is, also one without blanks', () => {
  const sizeOf = (text: string): number => callOf('/v1/chat/completions', { text }).inputBytes
  assert.ok(sizeOf(`data:image/png;base64,${'iVBORw0K'.repeat(20_000)}`) < 10_000)
  for (const text of ['文字', 'word,', 'word\n', 'word\u00a0'])
    assert.ok(sizeOf(text.repeat(40_000)) > 80_000, text)
})
