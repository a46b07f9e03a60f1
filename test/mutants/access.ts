import type { Mutant } from './mutant.ts'

const busyTest = ['test/busy-database.test.ts']

export const accessMutants: readonly Mutant[] = [
  {
    guard: 'db: one caller leaves connections to the others',
    file: 'src/kernel/db/caller-pool.ts',
    text: 'await turns.take(waitMs)',
    replacement: 'void waitMs',
    tests: busyTest,
    name: 'keeps nobody else',
  },
  {
    guard: 'db: statements of a request have a time limit',
    file: 'src/kernel/db/pool.ts',
    text: '...(statementMs !== undefined && !isPooled &&',
    replacement: '...(statementMs === 0 &&',
    tests: busyTest,
    name: 'keeps nobody else',
  },
  {
    guard: 'http: what a request asks of the database counts for its caller',
    file: 'src/kernel/http/index.ts',
    text: 'countByCaller(app)\n',
    replacement: 'void countByCaller\n',
    tests: busyTest,
    name: 'keeps nobody else',
  },
  {
    guard: 'access: sessions that cannot be read are no internal error',
    file: 'src/access/people.ts',
    text: 'throw signInUnavailable(cause)',
    replacement: 'throw cause',
    tests: busyTest,
    name: 'never 500',
  },
  {
    guard: 'search: the words of a query are limited',
    file: 'src/search/few-words.ts',
    text: 'if (left <= 0) break',
    replacement: '',
    tests: ['src/search/few-words.test.ts'],
  },
]
