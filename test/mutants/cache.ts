import type { Mutant } from './mutant.ts'

const file = 'src/kernel/cache/caches.ts'
const tests = ['src/kernel/cache/read-cache.test.ts']

export const cacheMutants: readonly Mutant[] = [
  {
    guard: 'cache: a change makes every value be read again',
    file,
    text: 'this.#generation += 1',
    replacement: 'this.#generation += 0',
    tests,
  },
  {
    guard: 'cache: no value is used for ever without a read',
    file,
    text: '|| now >= entry.goodUntil',
    replacement: '',
    tests,
  },
  {
    guard: 'cache: a value in use is read again from time to time',
    file,
    text: 'if (now >= entry.refreshAt &&',
    replacement: 'if (now < 0 &&',
    tests,
  },
  {
    guard: 'cache: a read that began before a change is not joined',
    file,
    text: 'reading?.generation === this.#generation ?',
    replacement: 'reading ?',
    tests: ['src/access/key-cache.test.ts'],
  },
  {
    guard: 'cache: a read that ends late does not replace a newer one',
    file,
    text: 'if (known > generation) return value',
    replacement: '',
    tests,
  },
  {
    guard: 'cache: the source is left alone for a while after a failed read',
    file,
    text: 'Object.assign(entry, lifetime(retryMs)',
    replacement: 'Object.assign(entry, lifetime(0)',
    tests: ['src/access/key-cache.test.ts'],
  },
  {
    guard: 'gateway: routes follow the custom providers as they change',
    file: 'src/gateway/catalog/registry.ts',
    text: 'setCustom(rows) {\n      found.clear()',
    replacement: 'setCustom(rows) {',
    tests: ['src/gateway/catalog/registry.test.ts'],
  },
  {
    guard: 'embeddings: calls with many texts are served after single ones',
    file: 'src/embeddings/create-embedder.ts',
    text: "priority === 'interactive' && texts.length > maxInteractive ? 'bulk' : priority",
    replacement: 'priority',
    tests: ['src/embeddings/create-embedder.test.ts'],
  },
  {
    guard: 'embeddings: many texts leave a slot to single calls',
    file: 'src/embeddings/queue.ts',
    text: "if (isLastSlot && lane !== 'interactive') continue",
    replacement: '',
    tests: ['src/embeddings/create-embedder.test.ts'],
  },
  {
    guard: 'embeddings: a running batch that nobody waits for is cancelled',
    file: 'src/embeddings/queue.ts',
    text: 'work.batch.cancel.abort()',
    replacement: 'work.batch.cancel.signal.throwIfAborted()',
    tests: ['src/embeddings/create-embedder.test.ts'],
  },
  {
    guard: 'embeddings: a caller cannot change a cached vector',
    file: 'src/embeddings/cache.ts',
    text: '.slice()',
    replacement: '',
    tests: ['src/embeddings/create-embedder.test.ts'],
  },
]
