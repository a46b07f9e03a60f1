/** The archive over HTTP: samples of all assistants go in, sessions come out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startProduct } from '../harness/product.ts'
import { filesOf, lineOf, sendFile, sessions, show } from './archive.ts'
import { samples } from './samples/index.ts'

const server = await startProduct()

for (const sample of samples)
  describe(sample.assistant, () => {
    test('what the files hold is what the routes show', async () => {
      for (const file of filesOf(sample)) await sendFile(server, file)
      const found = await sessions(server, `?include=subagents&assistant=${sample.assistant}`)
      const byKey = new Map(found.map((session) => [session.external_id, session]))
      const messages: Record<string, string[]> = {}
      for (const { id, external_id } of found)
        messages[external_id] = (await show(server, id)).messages.map(lineOf)
      assert.deepEqual(messages, sample.expected.messages)
      const sum = (count: (session: (typeof found)[0]) => number) =>
        found.reduce((total, session) => total + count(session), 0)
      assert.deepEqual(
        [
          sum((each) => each.input_tokens),
          sum((each) => each.cached_tokens),
          sum((each) => each.cache_write_tokens),
          sum((each) => each.output_tokens),
        ],
        sample.expected.tokens,
      )
      assert.deepEqual(
        [...new Set(found.flatMap((each) => each.files_edited))].toSorted(),
        sample.expected.files.toSorted(),
      )
      for (const [key, fields] of Object.entries(sample.expected.sessions)) {
        const { project, gitBranch, title } = fields as Record<string, unknown>
        const session = byKey.get(key)
        if (project !== undefined) assert.equal(session?.project, project)
        if (gitBranch !== undefined) assert.equal(session?.git_branch, gitBranch)
        if (title !== undefined) assert.equal(session?.title, title)
      }
    })
  })
