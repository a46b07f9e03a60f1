import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight, type Language } from './highlight.ts'

const samples: Record<Language, string> = {
  bash: `curl http://127.0.0.1:8000/v1/models \\\n  -H "Authorization: Bearer sb-1" # list`,
  python: `from openai import OpenAI\nclient = OpenAI(api_key="sb-1")  # one\n`,
  typescript: `const client = new OpenAI({ apiKey: 'sb-1' }) // one`,
  sql: `SELECT count(*) FROM orders -- all\nWHERE note = 'it''s'`,
  json: `{ "name": "ci", "active": true }`,
}

test('the joined tokens equal the source', () => {
  for (const [language, source] of Object.entries(samples))
    assert.equal(
      highlight(source, language as Language)
        .map(({ text }) => text)
        .join(''),
      source,
    )
})

test('strings, keywords and names are distinguished', () => {
  const kinds = (source: string, language: Language) =>
    Object.fromEntries(highlight(source, language).map(({ text, kind }) => [text, kind]))
  assert.equal(kinds(samples.python, 'python')['import'], 'word')
  assert.equal(kinds(samples.python, 'python')['"sb-1"'], 'text')
  assert.equal(kinds(samples.bash, 'bash')['-H'], 'name')
  assert.equal(kinds(samples.bash, 'bash')['# list'], 'note')
  assert.equal(kinds(samples.json, 'json')['"name"'], 'name')
  assert.equal(kinds(samples.json, 'json')['"ci"'], 'text')
  assert.equal(kinds(samples.sql, 'sql')['SELECT'], 'word')
  assert.equal(kinds(samples.sql, 'sql')["'it''s'"], 'text')
  assert.equal(kinds(samples.sql, 'sql')['-- all'], 'note')
})
