import type { Mutant } from './mutant.ts'

const lock = { file: 'src/kernel/datadir/lock.ts', tests: ['src/kernel/datadir/lock.test.ts'] }
const backup = ['src/cli/backup/backup.test.ts']
const address = {
  file: 'src/kernel/public-address/index.ts',
  tests: ['src/kernel/public-address/private-address.test.ts'],
}
const providers = {
  file: 'src/gateway/catalog/custom-providers.ts',
  tests: ['src/gateway/catalog/custom-providers.test.ts'],
}

/** The data directory, backups, and what the database decides. */
export const dataMutants: readonly Mutant[] = [
  {
    guard: 'search: a deleted document is not shown while the index still has it',
    file: 'src/search/find.ts',
    text: 'await present(await selectDocumentsOf(pool, groupId, ids))',
    replacement: 'await selectDocumentsOf(pool, groupId, ids)',
    tests: ['src/search/deleted.test.ts'],
    name: 'from its deletion on',
  },
  {
    guard: 'search: what cannot say what is deleted is not shown',
    file: 'src/search/present.ts',
    text: 'return new Set(documents.keys())',
    replacement: 'return new Set()',
    tests: ['src/search/deleted.test.ts'],
    name: 'cannot say',
  },
  {
    guard: 'transcripts: a model is asked again only when a session has grown by a fifth',
    file: 'src/transcripts/store/summary-store.ts',
    text: 's.message_count > m.messages * 1.2',
    replacement: 's.message_count > m.messages',
    tests: ['test/transcripts/model-summary.test.ts'],
  },
  {
    guard: 'transcripts: sessions of years ago are not sent to a model',
    file: 'src/transcripts/store/summary-store.ts',
    text: " and s.ended_at > now() - $2 * interval '1 day'",
    replacement: ' and $2 > 0',
    tests: ['test/transcripts/model-summary.test.ts'],
  },
  {
    guard: 'data directory: it has one holder',
    ...lock,
    text: '; begin exclusive',
    replacement: '',
    name: 'one holder',
  },
  {
    guard: 'backup: only tables that the migrations made are filled',
    file: 'src/kernel/db/fill.ts',
    text: 'if (!own) throw new StartFault(`The backup has the table',
    replacement: 'if (own === null) throw new StartFault(`The backup has the table',
    tests: backup,
  },
  {
    guard: 'backup: only columns that the migrations made are filled',
    file: 'src/kernel/db/fill.ts',
    text: 'if (strange !== undefined)',
    replacement: 'if (strange === "")',
    tests: backup,
  },
  {
    guard: 'backup: the bounds of a partition are values, never expressions',
    file: 'src/kernel/db/fill.ts',
    text: "new RegExp(`^FOR VALUES FROM \\\\('(${uuid})'\\\\) TO \\\\('(${uuid})'\\\\)$`)",
    replacement: 'new RegExp(`^FOR VALUES FROM (.*) TO (.*)$`)',
    tests: backup,
  },
  {
    guard: 'addresses: a private IPv4 address inside a mapped one is seen',
    ...address,
    text: 'return isMapped || isTranslated ?',
    replacement: 'return isTranslated ?',
  },
  {
    guard: 'addresses: a private IPv4 address inside a tunnelled one is seen',
    ...address,
    text: 'if (first === 0x2002) return',
    replacement: 'if (first === 0x12002) return',
  },
  {
    guard: 'addresses: what is no address counts as private',
    ...address,
    text: 'if (!isIPv6(bare)) return true',
    replacement: 'if (!isIPv6(bare)) return false',
  },
  {
    guard: 'providers: changes of one group wait for each other',
    ...providers,
    text: 'await lockUntilCommit(transaction, `gateway.providers ${groupId}`)',
    replacement: '',
  },
]
