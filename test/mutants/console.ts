import type { Mutant } from './mutant.ts'

const ingest = ['src/console/ingest.test.ts']
const stream = ['src/console/stream.test.ts']
const reporter = ['src/console/reporter.test.ts']

export const consoleMutants: readonly Mutant[] = [
  {
    guard: 'console: what looks like a key is masked in events',
    file: 'src/console/storable.ts',
    text: 'return mask(value.toWellFormed())',
    replacement: 'return value.toWellFormed()',
    tests: ingest,
  },
  {
    guard: 'console: half a character does not reach the database',
    file: 'src/console/storable.ts',
    text: 'return mask(value.toWellFormed())',
    replacement: 'return mask(value)',
    tests: ingest,
  },
  {
    guard: 'console: texts have a limit',
    file: 'src/console/storable.ts',
    text: 'if (value.length > maxLength)',
    replacement: 'if (value.length > 10_000_000)',
    tests: ingest,
  },
  {
    guard: 'console: a call has at most 1,000 events',
    file: 'src/console/ingest/read-body.ts',
    text: 'if (values.length > maxEventsPerCall)',
    replacement: 'if (values.length < 0)',
    tests: ingest,
  },
  {
    guard: 'console: unpacked bodies have a limit',
    file: 'src/console/ingest/body.ts',
    text: '{ maxOutputLength: maxBytes }',
    replacement: '{}',
    tests: ingest,
  },
  {
    guard: 'console: a reader that is far behind is told the gap',
    file: 'src/console/stream/reader.ts',
    text: 'if (count > 0) this.#write(',
    replacement: 'if (count < 0) this.#write(',
    tests: stream,
    name: 'too far behind',
  },
  {
    guard: 'console: a reader that catches up repeats nothing',
    file: 'src/console/stream/reader.ts',
    text: 'if (!this.#isLive) return',
    replacement: '',
    tests: stream,
  },
  {
    guard: 'console: a reader that is behind is not live',
    file: 'src/console/stream/reader.ts',
    text: 'this.#isLive = false\n      void this.#catchUp()\n      return',
    replacement: 'return',
    tests: stream,
    name: 'stops reading',
  },
  {
    guard: 'console: what was committed while notifications were lost is read',
    file: 'src/console/index.ts',
    text: '() => hub.check(),\n      )',
    replacement: '() => undefined,\n      )',
    tests: stream,
    name: 'break while streaming',
  },
  {
    guard: 'console: streams end when the server stops',
    file: 'src/console/stream/routes.ts',
    text: 'hub.stop()\n    done()',
    replacement: 'done()',
    tests: stream,
    name: 'streams end',
  },
  {
    guard: 'console: highlights are escaped',
    file: 'src/console/store/search-store.ts',
    text: 'if (index === 0) return [escapeHtml(part)]',
    replacement: 'if (index === 0) return [part]',
    tests: ['src/console/reading.test.ts'],
    name: 'highlight',
  },
  {
    guard: 'console: only the origins of a reporter may report',
    file: 'src/console/reporter/routes.ts',
    text: '(origin === null || !reporter.origins.includes(origin))',
    replacement: 'origin === ""',
    tests: reporter,
  },
  {
    guard: 'console: errors of pages are limited per group',
    file: 'src/console/reporter/routes.ts',
    text: 'if (seconds > 0)',
    replacement: 'if (seconds < 0)',
    tests: reporter,
  },
]
