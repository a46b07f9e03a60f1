import type { Mutant } from './mutant.ts'

const journal = ['src/usage/ledger/journal.test.ts']

export const usageMutants: readonly Mutant[] = [
  {
    guard: 'usage: a request for a model that does not exist is not without a price',
    file: 'src/usage/cost/cost.ts',
    text: 'if (isUnused(billed)) return { input_cost',
    replacement: 'if (billed.status_code === 0) return { input_cost',
    tests: ['src/usage/cost/cost.test.ts'],
  },
  {
    guard: 'usage: costs are corrected after a custom price',
    file: 'src/usage/cost/correct-costs.ts',
    text: 'for (const model of models)',
    replacement: 'for (const model of models.slice(models.length))',
    tests: ['src/usage/cost/pricing.test.ts'],
    name: 'at the moment of a change',
  },
  {
    guard: 'usage: costs of a session are those of one group',
    file: 'src/usage/log/session-store.ts',
    text: 'where group_id = ${groupId} and session_key = any(${keys}::text[])',
    replacement: 'where session_key = any(${keys}::text[])',
    tests: ['src/usage/log/sessions.test.ts'],
  },
  {
    guard: 'journal: a record that was written in part is removed',
    file: 'src/usage/ledger/segments.ts',
    text: 'fs.ftruncateSync(this.#file, segment.size)',
    replacement: '',
    tests: journal,
    name: 'only in part',
  },
  {
    guard: 'journal: no request goes on before it is written down',
    file: 'src/usage/ledger/journal.ts',
    text: 'return turn.written.promise',
    replacement: 'return Promise.resolve()',
    tests: journal,
  },
  {
    guard: 'journal: a segment is removed only when all of it is in the database',
    file: 'src/usage/ledger/segments.ts',
    text: 'oldest !== this.#current && oldest.copied === oldest.size',
    replacement: 'oldest !== this.#current',
    tests: journal,
  },
  {
    guard: 'journal: /readyz says that it cannot be written',
    file: 'src/usage/ledger/pipeline.ts',
    text: 'if (this.#quota.violation(this.#journal.bytes) !== undefined) return false',
    replacement: '',
    tests: ['src/usage/full-journal.test.ts'],
  },
  {
    guard: 'prices: a price holds until its end and no longer',
    file: 'src/usage/cost/price-table.ts',
    text: 'from <= time && time < to',
    replacement: 'from <= time',
    tests: ['src/usage/cost/price-catalog.test.ts', 'src/usage/cost/cost.test.ts'],
  },
  {
    guard: 'prices: a price does not hold before its beginning',
    file: 'src/usage/cost/price-table.ts',
    text: 'from <= time && time < to',
    replacement: 'time < to',
    tests: ['src/usage/cost/price-catalog.test.ts', 'src/usage/cost/cost.test.ts'],
  },
  {
    guard: 'delivery: an outage is not taken for a fault of the rows',
    file: 'src/usage/ledger/delivery.ts',
    text: 'if (!isRejection(error)) throw error',
    replacement: '',
    tests: ['src/usage/ledger/delivery.test.ts'],
  },
  {
    guard: 'usage: a synchronised price that changes applies when every process knows it',
    file: 'src/usage/cost/price-store.ts',
    text: 'now.getTime() + noticeMs',
    replacement: 'now.getTime()',
    tests: ['src/usage/cost/price-catalog.test.ts'],
    name: 'that has ended prices no request',
  },
  {
    guard: 'gateway: a whole response without usage is estimated',
    file: 'src/gateway/request/complete.ts',
    text: 'if (!usage) outcome.estimateFrom',
    replacement: 'if (client.isClosed) outcome.estimateFrom',
    tests: ['src/usage/cost/cut-stream.test.ts'],
    name: 'a whole response without usage',
  },
]
