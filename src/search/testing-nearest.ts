import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '#test/database'
import type { NearestChunks } from './nearest.ts'
import { createTestEmbedder } from './testing-embedder.ts'
import { createGroup, createSearchProcess, type SearchProcess } from './testing-search.ts'
import { findModel, nextWaiting, putVectors } from './vector-store.ts'

export type CreateNearest = (process: SearchProcess, model: number) => Promise<NearestChunks>

/** What every way to find the nearest chunks must do. */
export function nearestContract(name: string, create: CreateNearest, skip: string | false = false): void {
  test(
    `${name}: nearest first, of the group, the kinds and the model that were asked for`,
    { skip },
    async () => {
      const embedder = createTestEmbedder()
      const process = await createSearchProcess(await createTestDatabase(), embedder)
      const { pool } = process.database
      const [ours, theirs] = [
        await createGroup(process.database, 'A'),
        await createGroup(process.database, 'B'),
      ]
      const [model, other] = [await findModel(pool, 'one', 'one'), await findModel(pool, 'two', 'two')]
      const nearest = await create(process, model)
      const put = (kind: string, groupId: string | null, texts: string[]): Promise<void> =>
        process.search.index(
          kind,
          texts.map((text) => ({ groupId, id: text, title: text, text, url: '/', at: new Date() })),
        )
      await put('note', ours, ['red apple', 'red apple pie', 'green pear', 'blue car'])
      await put('page', ours, ['red apple juice'])
      await put('note', null, ['red apple for everyone'])
      await put('secret', theirs, ['red'])
      const chunks = await nextWaiting(pool, model, 100)
      const vectors = await embedder.embed(
        chunks.map(({ content }) => content),
        'search_document',
      )
      const rows = chunks.map(({ id }, index) => ({ chunkId: id, vector: vectors[index]! }))
      await putVectors(pool, nearest, model, rows, chunks.at(-1)!.id)
      // The other model has it the wrong way round: its vectors must play no part.
      await putVectors(
        pool,
        nearest,
        other,
        rows.map(({ chunkId }, index) => ({ chunkId, vector: vectors.toReversed()[index]! })),
        chunks.at(-1)!.id,
      )
      const contentOf = new Map(chunks.map(({ id, content }) => [id, content]))
      const [vector] = await embedder.embed(['red apple'], 'search_query')
      const ask = async (kinds: string[] | null, limit: number): Promise<string[]> =>
        (await nearest.nearest({ model, groupId: ours, kinds, vector: vector!, limit })).map(
          ({ chunkId }) => contentOf.get(chunkId) ?? '?',
        )
      assert.deepEqual((await ask(null, 3)).toSorted(), ['red apple', 'red apple juice', 'red apple pie'])
      assert.equal((await ask(null, 3))[0], 'red apple')
      assert.deepEqual(await ask(['page'], 3), ['red apple juice'])
      assert.equal((await ask(null, 100)).length, 6)
      const [first] = await nearest.nearest({ model, groupId: ours, kinds: null, vector: vector!, limit: 1 })
      assert.ok(Math.abs((first?.similarity ?? 0) - 1) < 0.01)
      await process.stop()
    },
  )
}
