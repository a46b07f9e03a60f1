import type { ListedTier, ModelInfo, OtherPrices } from '../../provider.ts'
import { shiftDecimal } from '../../passthrough/decimal.ts'
import { arrayOf, isAbsent, objectOf, statedCount, stringOf, type JsonObject } from '../../wire/json.ts'
import { describeModel, listedModels, limitOf } from '../../passthrough/models.ts'
import { gatewayPrefix } from './model-name.ts'

export function readModels(body: unknown): { models: ModelInfo[] } {
  return { models: listedModels(body).map(describe) }
}

function describe(entry: JsonObject): ModelInfo {
  const id = stringOf(entry['id'])
  const pricing = objectOf(entry['pricing'])
  const provider = objectOf(entry['top_provider'])
  return {
    // The router's own models already begin with the prefix.
    ...describeModel(entry, id.startsWith(gatewayPrefix) ? id : gatewayPrefix + id, ownerOf(id)),
    contextLength: limitOf(entry['context_length']) ?? limitOf(provider['context_length']),
    maxOutput: limitOf(provider['max_completion_tokens']),
    inputPrice: price(pricing['prompt'], 6),
    outputPrice: price(pricing['completion'], 6),
    cacheReadPrice: price(pricing['input_cache_read'], 6),
    cacheWritePrice: price(pricing['input_cache_write'], 6),
    requestPrice: price(pricing['request'], 0),
    otherPrices: otherPrices(pricing),
    capabilities: capabilitiesOf(entry),
  }
}

function otherPrices(pricing: JsonObject): OtherPrices | null {
  const long = price(pricing['input_cache_write_1h'], 6)
  const search = price(pricing['web_search'], 0)
  const tiers = tiersOf(pricing['overrides'])
  const found: OtherPrices = {
    ...(long !== null && { cacheWriteLongPrice: long }),
    // The list says 0 where a model does not search.
    ...(search !== null && search !== '0' && { unitPrices: { web_search: search } }),
    ...(tiers.length > 0 && { tiers }),
  }
  return Object.keys(found).length > 0 ? found : null
}

/** Of several prices for the same length the last one counts. Prices by the time of day are not known to us. */
function tiersOf(overrides: unknown): ListedTier[] {
  const tiers = new Map<number, ListedTier>()
  for (const each of arrayOf(overrides).map(objectOf)) {
    const aboveTokens = statedCount(each['min_prompt_tokens'])
    const isTimed = ['utc_start', 'utc_end', 'utc_days'].some((name) => !isAbsent(each[name]))
    if (aboveTokens === undefined || isTimed) continue
    const prices = Object.entries(tierNames).flatMap(([ours, theirs]) => {
      const found = price(each[theirs], 6)
      return found === null ? [] : [[ours, found] as const]
    })
    tiers.set(aboveTokens, { ...tiers.get(aboveTokens), aboveTokens, ...Object.fromEntries(prices) })
  }
  return [...tiers.values()].toSorted((a, b) => a.aboveTokens - b.aboveTokens)
}

const tierNames = {
  inputPrice: 'prompt',
  outputPrice: 'completion',
  cacheReadPrice: 'input_cache_read',
  cacheWritePrice: 'input_cache_write',
  cacheWriteLongPrice: 'input_cache_write_1h',
} as const satisfies Partial<Record<keyof ListedTier, string>>

/** Prices are for one token, ours for a million: six places. A negative one means that it depends on the route. */
function price(value: unknown, places: number): string | null {
  const shifted =
    typeof value === 'string' || typeof value === 'number' ? shiftDecimal(String(value), places) : null
  return shifted?.startsWith('-') === true ? null : shifted
}

function capabilitiesOf(entry: JsonObject): string[] {
  const { input_modalities: inputs, output_modalities: outputs } = objectOf(entry['architecture'])
  const named = (list: unknown, kind: string) =>
    arrayOf(list).map((each) => stringOf(each) && kind + stringOf(each))
  return [
    ...named(entry['supported_parameters'], ''),
    ...named(inputs, 'input:'),
    ...named(outputs, 'output:'),
  ].filter((each) => each !== '')
}

function ownerOf(id: string): string {
  return id.replace(/^~/, '').split('/')[0] ?? 'openrouter'
}
