import * as prices from '../../../src/usage/cost/price-store.ts'
import * as repricing from '../../../src/usage/cost/reprice-store.ts'
import { insertWritten } from '../../../src/usage/ledger/insert.ts'
import { RowBuffer } from '../../../src/usage/ledger/row-buffer.ts'
import type { PriceRow } from '../../../src/usage/row.ts'
import type { UsageTables } from '../../../src/usage/tables.ts'
import type { Recorder, Sample } from '../snapshot.ts'
import { at, id } from './values.ts'
import { usageLog } from './usage-log.ts'

const price: PriceRow = {
  id,
  group_id: null,
  model_id: 'model',
  source: 'synced',
  input_price_per_1m: '1',
  output_price_per_1m: '1',
  cache_read_price_per_1m: null,
  cache_write_price_per_1m: null,
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: null,
  tiers: null,
  effective_from: at.toISOString(),
  effective_to: null,
}

export const usage: Sample = async (recorder) => {
  await usageLog(recorder)
  await cost(recorder)
  await insertWritten(recorder.pool, new RowBuffer(), [{ id, start: 0, end: 0, newPrices: [price] }])
}

async function cost({ tables, answer }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  answer([], [], [], [])
  await prices.listPricesSince(db, at)
  await prices.listAllPrices(db)
  await prices.listPricesOf(db, id, undefined)
  await prices.listPricesOf(db, id, 'model')
  await prices.openPrices(db, [price], id)
  await prices.endPrice(db, price)
  answer([])
  await prices.changeSynced(db, () => ({ opened: [price], closed: [] }))
  await prices.insertBuiltIn(db, [price])

  const period = { from: at, to: at }
  await repricing.groupsWithRequests(db, period)
  await repricing.nextRows(db, { ...period, groupId: id, model: undefined, after: undefined }, false, 10)
  await repricing.nextRows(db, { ...period, groupId: id, model: 'model', after: id }, true, 10)
  await repricing.writeCosts(db, id, [])
  await repricing.changeSums(db, [])
}
