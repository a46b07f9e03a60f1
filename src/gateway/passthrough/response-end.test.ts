import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfResponse } from './chat-exchange.ts'
import { createRandomJson } from './testing-json.ts'

const read = (text: string): unknown => endOfResponse(Buffer.from(text))

test('usage is read from the end of a response, whatever the words before it are', () => {
  const told = '{"prompt_tokens":3,"completion_tokens":5}'
  const usage = JSON.parse(told) as unknown
  const texts = ['', 'plain', '"usage":{"prompt_tokens":9}', '\\"usage\\"', '}]}', '"error"', '🚂 Grüße']
  for (const content of texts) {
    const choices = JSON.stringify([{ message: { content, name: content } }])
    assert.deepEqual(read(`{"id":"a","choices":${choices},"usage":${told}}`), { usage }, content)
    assert.deepEqual(
      read(`{"choices" : ${choices},\n "usage" : ${told},\n "service_tier": "default"\n}\n`),
      { usage, service_tier: 'default' },
      content,
    )
  }
})

test('what the end alone does not settle is left to a whole reading', () => {
  const usage = '"usage":{"prompt_tokens":3}'
  const cases: Record<string, string> = {
    'no usage': '{"choices":[]}',
    'an error': `{"choices":[],"error":null,${usage}}`,
    'an error of a choice': `{"choices":[{"error":{"code":502}}],${usage}}`,
    'no choices': `{"id":"a",${usage}}`,
    'usage deeper inside': `{"choices":[{${usage}}]}`,
    'usage deeper inside, last': `{"choices":[],"x":{${usage}}}`,
    'usage as a value': '{"choices":[],"x":"usage"}',
    'a tool of that name behind it': `{${usage},"choices":[{"name":"usage","arguments":"{}"}]}`,
    'cut off': `{"choices":[],${usage}`,
    'a list': `[{"choices":[],${usage}}]`,
  }
  for (const [name, text] of Object.entries(cases)) assert.equal(read(text), undefined, name)
})

test('in random answers it finds what a parser finds, or leaves it to one', () => {
  const { next, value, object } = createRandomJson(['usage', 'choices', '"usage"', '"usage":{', '":'])
  let found = 0
  for (let round = 0; round < 2_000; round += 1) {
    const whole = { ...object(), choices: value(), usage: value(), ...object() }
    const end = endOfResponse(Buffer.from(JSON.stringify(whole, null, next(3))))
    if (!end) continue
    found += 1
    assert.deepEqual(end['usage'], whole.usage)
  }
  assert.ok(found > 500, `${found} were found`)
})
