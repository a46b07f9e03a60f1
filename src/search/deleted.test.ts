/** What was deleted is not shown, before and after the index has heard of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchKind } from '#kernel/search'
import {
  createGroup,
  createSearchProcess,
  createTestKind,
  until,
  type SearchProcess,
} from './testing-search.ts'

const query = { text: 'apples', kinds: null, limit: 10 }
const count = async ({ query: sql }: SearchProcess): Promise<number> =>
  (await sql('select from search.documents')).length

/** A search that reads and sweeps its kinds once: afterwards nothing is removed from the index. */
async function indexed(process: SearchProcess, kind: SearchKind, documents: number): Promise<void> {
  let isSwept = false
  process.search.register({
    ...kind,
    missing(ids) {
      isSwept = true
      return kind.missing(ids)
    },
  })
  await process.search.start()
  await until(async () => isSwept && (await count(process)) === documents)
}

test('a deleted document is in no answer from its deletion on, while the index still has it', async () => {
  const process = await createSearchProcess(undefined, undefined, { sweepEveryMs: 3_600_000 })
  const { search } = process
  const groupId = await createGroup(process.database, 'A')
  const kind = createTestKind('note', groupId)
  kind.put({ id: 'kept', text: 'apples and pears' })
  kind.put({ id: 'gone', title: 'apples', text: 'apples and apples' })
  await indexed(process, kind, 2)
  kind.drop('gone')

  const { results } = await search.search({ ...query, groupId })
  assert.deepEqual(
    results.map(({ id }) => id),
    ['kept'],
  )
  const { groups } = await search.context({ ...query, groupId })
  assert.deepEqual(
    groups.flatMap((group) => group.results.map(({ id }) => id)),
    ['kept'],
  )
  assert.equal(await count(process), 2)
  await process.stop()
})

test('of a kind that cannot say what is deleted nothing is shown, and of the others everything', async () => {
  const process = await createSearchProcess(undefined, undefined, { sweepEveryMs: 3_600_000 })
  const groupId = await createGroup(process.database, 'A')
  const [note, ticket] = [createTestKind('note', groupId), createTestKind('ticket', groupId)]
  note.put({ id: 'note', text: 'apples' })
  ticket.put({ id: 'ticket', text: 'apples' })
  let hasFailed = false
  process.search.register({ ...ticket, missing: (given) => (hasFailed ? fail() : ticket.missing(given)) })
  await indexed(process, note, 2)
  hasFailed = true
  const { results } = await process.search.search({ ...query, groupId })
  assert.deepEqual(
    results.map(({ id }) => id),
    ['note'],
  )
  await process.stop()
})

test('what is deleted leaves the index also while changes cannot be read', async () => {
  const process = await createSearchProcess()
  const groupId = await createGroup(process.database, 'A')
  const kind = createTestKind('note', groupId)
  kind.put({ id: 'gone', text: 'apples' })
  let hasFailed = false
  const broken = {
    ...kind,
    changed: (after: string | null, limit: number) => (hasFailed ? fail() : kind.changed(after, limit)),
  }
  await indexed(process, broken, 1)
  hasFailed = true
  kind.drop('gone')
  await until(async () => (await count(process)) === 0)
  await process.stop()
})

async function fail(): Promise<never> {
  throw new Error('the table is locked')
}
