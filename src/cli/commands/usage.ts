import { withAccess } from '#access'
import { builtInPrices } from '#gateway'
import { table, UsageError, type Command, type CommandArguments } from '#kernel/command'
import { repriceUsage, setPriceFrom, type RepricedModel } from '#usage'

/** Flags of a price and their fields. */
const priceFields = {
  input: 'input_price_per_1m',
  output: 'output_price_per_1m',
  'cache-read': 'cache_read_price_per_1m',
  'cache-write': 'cache_write_price_per_1m',
  'cache-write-long': 'cache_write_long_price_per_1m',
  request: 'request_price',
} as const

export const command: Command = {
  summary: 'Set prices, also for the past; recalculate the costs of a period',
  usage: [
    'price MODEL --input DOLLARS --output DOLLARS [--from DATE] [--group ID] [--json]',
    '      [--cache-read DOLLARS] [--cache-write DOLLARS] [--cache-write-long DOLLARS] [--request DOLLARS]',
    'reprice --from DATE --to DATE [--model MODEL] [--apply] [--json]',
    '(prices are per million tokens, --request per request; a DATE is 2026-11-15 or 2026-11-15T08:30:00Z, in UTC,',
    ' and a day in --to includes the whole day; reprice only shows the difference unless --apply is set)',
  ],
  options: {
    ...Object.fromEntries(Object.keys(priceFields).map((flag) => [flag, { type: 'string' as const }])),
    from: { type: 'string' },
    to: { type: 'string' },
    model: { type: 'string' },
    group: { type: 'string' },
    apply: { type: 'boolean' },
  },
  async run(given) {
    const [action, word] = given.words
    if (action === 'price' && word) return price(given, word)
    if (action === 'reprice') return reprice(given)
    throw new UsageError('Use price MODEL or reprice.')
  },
}

async function price({ flags, print }: CommandArguments, model: string): Promise<number> {
  const { input, output } = { input: flags['input'], output: flags['output'] }
  if (typeof input !== 'string' || typeof output !== 'string')
    throw new UsageError('A price needs --input and --output.')
  const from = timeFlag(flags, 'from')?.start ?? new Date()
  const given = Object.entries(priceFields).map(([flag, field]) => [field, flags[flag]])
  const body = { ...Object.fromEntries(given), input_price_per_1m: input, output_price_per_1m: output }
  const set = await withAccess(async ({ access, database }) => {
    const group = await access.groups.forSystem(textFlag(flags, 'group'))
    return setPriceFrom(database, group.id, model, body, from)
  })
  const advice =
    from.getTime() < Date.now() - 60_000
      ? ` Earlier requests keep their costs until you run: signalbox usage reprice --from ${from.toISOString()} --to ${new Date().toISOString()} --model ${model}`
      : ''
  print(`${model} has this price from ${set.effective_from}.${advice}`, set)
  return 0
}

async function reprice({ flags, print }: CommandArguments): Promise<number> {
  const [from, to] = [timeFlag(flags, 'from'), timeFlag(flags, 'to')]
  if (!from || !to) throw new UsageError('Set the period: --from DATE --to DATE.')
  if (from.start >= to.end) throw new UsageError('The period ends before it begins.')
  const model = textFlag(flags, 'model')
  const apply = flags['apply'] === true
  const models = await withAccess(({ database, config }) =>
    repriceUsage(database, builtInPrices(config), {
      from: from.start,
      to: to.end,
      apply,
      ...(model !== undefined && { model }),
    }),
  )
  const changed = models.reduce((sum, each) => sum + each.changed, 0)
  print(`${tableOf(models)}\n\n${closing(changed, apply)}`, { applied: apply, changed, models })
  return 0
}

function tableOf(models: readonly RepricedModel[]): string {
  return table(
    ['MODEL', 'REQUESTS', 'CHANGED', 'OLD COST', 'NEW COST', 'DIFFERENCE'],
    models.map((each) => [
      each.model,
      String(each.rows),
      String(each.changed),
      each.old_cost,
      each.new_cost,
      each.difference,
    ]),
  )
}

function closing(changed: number, isApplied: boolean): string {
  if (changed === 0) return 'No change: every cost matches the prices of its time.'
  return isApplied
    ? `${changed} costs and their totals were changed.`
    : `${changed} costs would change. Nothing was changed; add --apply to change them.`
}

function textFlag(flags: CommandArguments['flags'], name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

const dayMs = 86_400_000

/** A day, or a moment: `end` is the first moment that does not belong to it. */
function timeFlag(flags: CommandArguments['flags'], name: string): { start: Date; end: Date } | undefined {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text)
  const start = new Date(isDay ? `${text}T00:00:00Z` : text)
  // A day that there is not, such as 30 February, would become another one.
  if (!(isDay || isMoment) || !(start.toJSON()?.startsWith(text.slice(0, 10)) ?? false))
    throw new UsageError(`--${name} must be a date such as 2026-11-15 or 2026-11-15T08:30:00Z.`)
  return { start, end: isDay ? new Date(start.getTime() + dayMs) : start }
}
