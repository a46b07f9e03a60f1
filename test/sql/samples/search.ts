import { createHash } from 'node:crypto'
import * as documents from '../../../src/search/document-store.ts'
import * as kinds from '../../../src/search/kind-store.ts'
import { createNearestBits } from '../../../src/search/nearest-bits.ts'
import { createNearestPgvector, hasPgvector, prepareModel } from '../../../src/search/nearest-pgvector.ts'
import * as vectors from '../../../src/search/vector-store.ts'
import * as saved from '../../../src/search/saved-store.ts'
import { createSpelling } from '../../../src/search/spelling.ts'
import { selectTerms } from '../../../src/search/terms.ts'
import * as titles from '../../../src/search/titles-store.ts'
import * as words from '../../../src/search/words-store.ts'
import { createLog } from '#kernel/log'
import type { Recorder, Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const document = { groupId: id, id: 'document', title: 'title', text: 'text', url: '/', at }
const vector = new Float32Array(768)
const asked = { groupId: id, kinds: null, limit: 10 }
const nearTo = { model: 1, groupId: id, kinds: null, vector, limit: 10 }

export const search: Sample = async (recorder) => {
  const { pool, answer } = recorder
  // The document was in another group: it is deleted there, inserted here, and one of its chunks is found.
  answer([{ ...document, group_id: null, hash }], [], [{}], [{ id: '1', hash }])
  await documents.putDocuments(pool, 'kind', [document], 'cursor')
  const same = createHash('sha256').update('title\0text').digest()
  answer([{ id: 'document', group_id: id, hash: same }])
  await documents.putDocuments(pool, 'kind', [document])
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

  const terms = [{ words: ['word'], lexemes: ['word'] }]
  for (const scope of [asked, { ...asked, kinds: ['kind'] }]) {
    for (const expression of ['websearch', 'terms'] as const) {
      await words.selectWithAll(pool, scope, expression, 'words')
      await titles.selectTitlesWithAll(pool, scope, expression, 'words')
    }
    await words.selectWithAny(pool, scope, terms, terms)
    await titles.selectTitlesWithAny(pool, scope, 'words')
    await titles.selectExact(pool, scope, 'words')
  }
  answer([{ words: ['word'], shares: [0.5] }])
  await words.createRareTerms(pool)(terms)
  answer([{ lexemes: ['word'] }])
  await selectTerms(pool, [['word']])
  answer([{ word: 'word' }])
  await createSpelling(pool)(id, ['word'])
  await words.selectDocumentsOf(pool, id, ['1'])
  await words.selectContents(pool, ['1'])

  const owner = { userId: id, groupId: id }
  await saved.listSaved(pool, owner)
  await saved.saveSearch(pool, owner, { name: 'name', query: 'words', kinds: [] }, 100)
  await saved.deleteSaved(pool, owner, id)

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
