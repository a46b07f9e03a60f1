import * as choices from '../../../src/embeddings/choice-store.ts'
import type { Sample } from '../snapshot.ts'

export const embeddings: Sample = async ({ tables }) => {
  const db = tables<choices.ChoiceTables>()
  await choices.readChoice(db, 'settings')
  await choices.saveChoice(db, 'settings', {
    driver: 'builtin',
    model: 'model',
    fingerprint: 'fingerprint',
    digest: null,
  })
}
