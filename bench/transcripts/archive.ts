import type { BenchProduct } from '../search/product.ts'
import { bareCopy, importSessions, storeSizes } from './import.ts'
import { timeSearches } from './searches.ts'

const promised = { perSecond: 5_000, searchMs: 150, timesText: 2.5 }

const met = (isMet: boolean): string => (isMet ? 'met' : 'missed')
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

/** Import, size and search of an archive with a given number of messages. */
export async function measureArchive(
  product: BenchProduct,
  messages: number,
): Promise<[string, string, string, string][]> {
  const imported = await importSessions(product, messages, (done) =>
    console.error(`${done.toLocaleString('en')} messages`),
  )
  const sizes = await storeSizes(product)
  const timed = await timeSearches(product, 30)
  const perSecond = Math.round(imported.messages / imported.seconds)
  const perMessage = (seconds: number) => Math.round((seconds / imported.messages) * 1_000_000)
  const copied = await bareCopy(product)
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0)
  const timesText = bytes / imported.text
  console.error(sizes.map((each) => `${each.table} ${megabytes(each.bytes)}`).join(', '))
  return [
    [
      `import of ${imported.messages.toLocaleString('en')} messages`,
      `${perSecond} messages/s; processor time per message: PostgreSQL ${perMessage(imported.database)} µs, ` +
        `server ${perMessage(imported.process)} µs; a bare COPY of the rows ${perMessage(copied)} µs`,
      `≥ ${promised.perSecond}`,
      met(perSecond >= promised.perSecond),
    ],
    [
      'store',
      `${megabytes(bytes)} for ${megabytes(imported.text)} of text: ${timesText.toFixed(2)} times`,
      `≤ ${promised.timesText} times`,
      met(timesText <= promised.timesText),
    ],
    ...timed.map(({ name, p50, p95 }): [string, string, string, string] => [
      name,
      `p50 ${p50} ms, p95 ${p95} ms`,
      `≤ ${promised.searchMs} ms`,
      met(p95 <= promised.searchMs),
    ]),
  ]
}
