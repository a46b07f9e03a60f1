import * as documents from '../../../src/search/document-store.ts'
import * as kinds from '../../../src/search/kind-store.ts'
import { createNearestBits } from '../../../src/search/nearest-bits.ts'
import { createNearestPgvector, hasPgvector, prepareModel } from '../../../src/search/nearest-pgvector.ts'
import * as vectors from '../../../src/search/vector-store.ts'
import * as words from '../../../src/search/words-store.ts'
import { createLog } from '#kernel/log'
import type { Recorder, Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const document = { groupId: id, id: 'document', title: 'title', text: 'text', url: '/', at }
const vector = new Float32Array(768)
const asked = { groupId: id, kinds: null, query: 'words', limit: 10 }
const nearTo = { model: 1, groupId: id, kinds: null, vector, limit: 10 }

export const search: Sample = async (recorder) => {
  const { pool, answer } = recorder
  // The document was in another group: it is deleted there, inserted here, and one of its chunks is found.
  answer([{ ...document, group_id: null, hash }], [], [{}], [{ id: '1', hash }])
  await documents.putDocuments(pool, 'kind', [document], 'cursor')
  await documents.removeDocuments(pool, 'kind', ['document'])

  await kinds.readCursor(pool, 'kind')
  await kinds.listStored(pool, 'kind', '', 10)
  await kinds.trimKind(pool, 'kind', 10)
  await kinds.forgetCursors(pool)
  await kinds.countKinds(pool, id, 1)

  await vectors.findModel(pool, 'fingerprint', 'name')
  await vectors.dropUnusedModels(pool)
  await vectors.nextWaiting(pool, 1, 10)
  await vectors.countWaiting(pool, 1)

  for (const query of [asked, { ...asked, kinds: ['kind'] }]) {
    await words.selectWithAll(pool, query)
    await words.selectExact(pool, query)
    answer([{ words: ['word'], shares: [0.5] }], [{ lexeme: 'word' }], [{ id: '1', lexemes: ['word'] }])
    await words.createSelectWithAny(pool)(query)
  }
  await words.selectDocumentsOf(pool, id, ['1'])
  await words.selectHeadlines(pool, ['1'], 'words')

  await nearest(recorder)
}

async function nearest({ pool, answer }: Recorder): Promise<void> {
  const bits = createNearestBits(pool)
  const pgvector = createNearestPgvector(pool, bits)
  await vectors.putVectors(pool, pgvector, 1, [{ chunkId: '1', vector }], '1')
  for (const kinds of [null, ['kind']]) {
    answer([])
    await bits.nearest({ ...nearTo, kinds })
    await pgvector.nearest({ ...nearTo, kinds })
  }

  answer([{}], [], [{ version: '0.8.0' }])
  await hasPgvector(pool, await createLog({ level: 'silent', form: 'json' }))
  // One vector waits, then none; the index was left half made.
  answer([{ chunk_id: '1', exact: Buffer.alloc(768) }], [], [], [{ valid: false }])
  await prepareModel(pool, 1, new AbortController().signal)
}
