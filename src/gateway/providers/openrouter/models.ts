import type { ModelInfo } from '../../provider.ts'
import { shiftDecimal } from '../../passthrough/decimal.ts'
import { arrayOf, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
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
    capabilities: capabilitiesOf(entry),
  }
}

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
