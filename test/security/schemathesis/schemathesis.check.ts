/**
 * The whole API document, tested by a program that does not know the server: too long for every run of the tests.
 * `npm run audit:security`
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerTokenOf } from '../../harness/owner.ts'
import { bearer, joined } from '../matrix/principals.ts'
import { startAudited } from '../server.ts'
import { hasPython } from './environment.ts'
import { runSchemathesis, type Caller } from './run.ts'

const server = await startAudited()
const callers: Caller[] = [
  { name: 'the owner', headers: { 'x-owner-token': ownerTokenOf(server.url) ?? '' }, without: [] },
  { name: 'a viewer', headers: await joined(server, 'viewer'), without: ['signOut', 'removeMember'] },
  { name: 'a key', headers: bearer(server.key), without: ['updateApiKey', 'revokeApiKey'] },
]

for (const caller of callers)
  test(
    `schemathesis finds nothing as ${caller.name} but what is accepted`,
    { skip: hasPython() ? false : 'there is no Python 3 here', timeout: 120_000 },
    async () => {
      const { failures, operations, cases } = await runSchemathesis(server.url, caller, 80)
      console.log(`${cases} cases on ${operations} operations as ${caller.name}`)
      assert.ok(operations > 90 && cases > 1_000, `${cases} cases on ${operations} operations`)
      assert.deepEqual(failures, [])
    },
  )
