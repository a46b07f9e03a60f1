import { isAbsent, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { refuse } from './fault.ts'
import { findGpt } from './models.ts'
import type { GptModel } from './models.ts'

export function requireModel(body: JsonObject): GptModel {
  const id = stringOf(body['model'])
  if (id === '') refuse('you must provide a model parameter')
  const model = findGpt(id)
  if (model === 'gone') {
    refuse(
      `The model \`${id}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`,
      null,
      'model_not_found',
      404,
    )
  }
  if (model === undefined) {
    refuse(
      `The model \`${id}\` does not exist or you do not have access to it.`,
      null,
      'model_not_found',
      404,
    )
  }
  return model
}

/** Reasoning models take sampling parameters only while they do not reason. */
export function checkSampling(body: JsonObject, reasons: boolean): void {
  const limits: [name: string, maximum: number, fallback: number][] = [
    ['temperature', 2, 1],
    ['top_p', 1, 1],
  ]
  for (const [name, maximum, fallback] of limits) {
    const value = body[name]
    if (isAbsent(value)) continue
    if (typeof value !== 'number') {
      refuse(
        `Invalid type for '${name}': expected a decimal, but got a ${typeof value} instead.`,
        name,
        'invalid_type',
      )
    }
    if (value > maximum) {
      refuse(
        `Invalid '${name}': decimal above maximum value. Expected a value <= ${maximum}, but got ${value} instead.`,
        name,
        'decimal_above_max_value',
      )
    }
    if (value < 0) {
      refuse(
        `Invalid '${name}': decimal below minimum value. Expected a value >= 0, but got ${value} instead.`,
        name,
        'decimal_below_min_value',
      )
    }
    if (reasons && value !== fallback) {
      refuse(
        `Unsupported value: '${name}' does not support ${value} with this model. Only the default (${fallback}) value is supported.`,
        name,
        'unsupported_value',
      )
    }
  }
}

export function checkEffort(
  model: GptModel,
  effort: unknown,
  param: string,
  accepted = model.efforts,
): string {
  if (isAbsent(effort)) return model.defaultEffort
  if (model.efforts.length === 0) {
    refuse(
      `Unsupported parameter: '${param}' is not supported with this model.`,
      param,
      'unsupported_parameter',
    )
  }
  if (!accepted.includes(stringOf(effort))) {
    const values = accepted.map((value) => `'${value}'`).join(', ')
    refuse(
      `Unsupported value: '${param}' does not support '${stringOf(effort)}' with this model. Supported values are: ${values}.`,
      param,
      'unsupported_value',
    )
  }
  return stringOf(effort)
}

export function checkMetadata(metadata: unknown): void {
  if (isAbsent(metadata)) return
  const entries = Object.entries(metadata as JsonObject)
  if (entries.length > 16) {
    refuse(
      `Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with ${entries.length} properties instead.`,
      'metadata',
      'object_above_max_properties',
    )
  }
  for (const [key, value] of entries) {
    if (typeof value !== 'string') {
      refuse(
        `Invalid type for 'metadata.${key}': expected a string, but got ${describeType(value)} instead.`,
        `metadata.${key}`,
        'invalid_type',
      )
    }
    if (value.length > 512) {
      refuse(
        `Invalid 'metadata.${key}': string too long. Expected a string with maximum length 512, but got a string with length ${value.length} instead.`,
        `metadata.${key}`,
        'string_above_max_length',
      )
    }
  }
}

export function describeType(value: unknown): string {
  if (isAbsent(value)) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (Number.isInteger(value)) return 'an integer'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
