import type { Provider } from '../../../src/gateway/provider.ts'
import type { BaseUrls } from '../../fake-provider/server.ts'
import type { Random } from '../random.ts'
import { objectSchema } from '../schemas.ts'
import type { FormatTypes } from '../format-types.ts'

/** A chat request; `stream` and what belongs to it are not in it. */
export type ChatBody = Record<string, unknown>

/** One provider as this test sees it: which requests it honours, and which published type they must become. */
export interface ProviderSamples {
  provider: Provider
  baseUrl: keyof BaseUrls
  /** A valid request within what the adapter honours for the model it picks. */
  request(random: Random): ChatBody
  /** Fields that are valid only without streaming. */
  wholeOnly: readonly string[]
  /** Every format the provider speaks must turn up among the requests. */
  formats: readonly (keyof FormatTypes)[]
  formatOf(path: string, headers: Readonly<Record<string, string>>): keyof FormatTypes
}

export type Format = 'text' | 'json_object' | 'json_schema'

/** Closed schemas only: free property names are refused where a schema is enforced. */
export function formatFields(random: Random, formats: readonly Format[]): ChatBody {
  if (random.chance(60)) return {}
  const type = random.pick(formats)
  if (type !== 'json_schema') return { response_format: { type } }
  const more = random.some(40, { strict: [true, false], description: ['The forecast.'] })
  const definition = { name: 'forecast', schema: objectSchema(random, true), ...more }
  return { response_format: { type, json_schema: definition } }
}

/** About the caller and the log, not about the response. */
export function ownerFields(random: Random): ChatBody {
  return random.some(15, {
    user: ['user-7f3a'],
    safety_identifier: ['hash-91c2'],
    metadata: [{ team: 'rail', run: '12' }, {}],
    seed: [7, 123456],
    n: [1],
  })
}
