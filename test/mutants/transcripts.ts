import type { Mutant } from './mutant.ts'

const segments = ['test/transcripts/segments.test.ts']
const search = ['test/transcripts/search.test.ts']
const reading = ['test/transcripts/reading.test.ts']

export const transcriptMutants: readonly Mutant[] = [
  {
    guard: 'transcripts: a segment that does not follow the stored position is not stored',
    file: 'src/transcripts/ingest/ingest.ts',
    text: 'if (!isNext(source, segment)) return positionOf(source)',
    replacement: '',
    tests: segments,
    name: 'leaves a gap',
  },
  {
    guard: 'transcripts: a source that moved while its lines were parsed is read again',
    file: 'src/transcripts/ingest/ingest.ts',
    text: 'locked === undefined || !isSame(locked, source)',
    replacement: 'locked === undefined',
    tests: segments,
    name: 'never goes back',
  },
  {
    guard: 'transcripts: a path that is no transcript, or leads out of the root, is refused',
    file: 'src/transcripts/ingest/routes.ts',
    text: "if (!isTranscript(source)) throw invalidField('path', 'must be a transcript of the assistant')",
    replacement: '',
    tests: segments,
    name: 'names the field',
  },
  {
    guard: 'transcripts: data that does not have its hash is refused',
    file: 'src/transcripts/ingest/routes.ts',
    text: 'if (!blobs.every(hasItsHash))',
    replacement: 'if (blobs.length > 1_000)',
    tests: segments,
    name: 'names the field',
  },
  {
    guard: 'transcripts: a deleted session is not stored again',
    file: 'src/transcripts/ingest/store-derived.ts',
    text: 'sessions.filter((each) => !keysOf(each).some((key) => deleted.has(key)))',
    replacement: '[...sessions]',
    tests: reading,
    name: 'does not bring it back',
  },
  {
    guard: 'transcripts: a search finds only what the group owns',
    file: 'src/transcripts/store/index-store.ts',
    text: "const parts = ['group_no = $1']",
    replacement: "const parts = ['$1::int >= 0']",
    tests: reading,
    name: 'another group',
  },
  {
    guard: 'transcripts: what the index finds is compared with the text',
    file: 'src/transcripts/read/search.ts',
    text: '.filter(({ text }) => isMatch(text, query))',
    replacement: '',
    tests: search,
    name: 'not by its old ones',
  },
  {
    guard: 'transcripts: a part of several sessions gives only the messages of those that are asked for',
    file: 'src/transcripts/read/candidates.ts',
    text: 'sessions.length === part.sessions.length',
    replacement: 'sessions.length > 0',
    tests: search,
    name: 'in merged ones',
  },
  {
    guard: 'transcripts: the words of an erased session leave the index',
    file: 'src/transcripts/ingest/erase.ts',
    text: 'await forgetWords(client, deriver, owner.group, nos)',
    replacement: '',
    tests: search,
    name: 'are in no part',
  },
  {
    guard: 'transcripts: a search looks for a limited number of words',
    file: 'src/transcripts/words/query.ts',
    text: 'words.slice(0, left)',
    replacement: 'words.slice(0)',
    tests: ['src/transcripts/words/words.test.ts'],
    name: 'too long is cut',
  },
  {
    guard: 'transcripts: only images are shown by the browser',
    file: 'src/transcripts/read/file-routes.ts',
    text: ".header('content-security-policy', \"default-src 'none'; sandbox\")",
    replacement: '',
    tests: reading,
    name: 'nothing but an image',
  },
  {
    guard: 'transcripts: ingest masks what a watcher did not',
    file: 'src/transcripts/derive/thread.ts',
    text: 'redact ? maskSecrets(cut.line) : cut.line',
    replacement: 'cut.line',
    tests: reading,
    name: 'looks like a key',
  },
]
