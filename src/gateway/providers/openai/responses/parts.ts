import { invalid } from '#kernel/errors'
import { isAbsent, present, type JsonObject } from '../../../wire/json.ts'
import { optionalString, requireObject, requireString } from '../../../wire/request-json.ts'
import type { InputDialect } from './input.ts'

/** Content parts in the names of this wire: what goes in is `input_*`, what the model once said is `output_text`. */
export function readParts(
  parts: readonly unknown[],
  path: string,
  side: 'input' | 'output',
  dialect: InputDialect,
): JsonObject[] {
  return parts.map((each, index) => readPart(each, `${path}.${index}`, side, dialect))
}

function readPart(value: unknown, path: string, side: 'input' | 'output', dialect: InputDialect): JsonObject {
  const part = requireObject(value, path)
  const type = requireString(part['type'], `${path}.type`)
  if (type === 'text') return { type: `${side}_text`, text: requireString(part['text'], `${path}.text`) }
  if (side === 'output') {
    if (type !== 'refusal') throw unsupported(type, path, dialect)
    const refusal = requireString(part['refusal'], `${path}.refusal`)
    return dialect.isComplete ? { type, refusal } : { type: 'output_text', text: refusal }
  }
  if (type === 'image_url') return readImage(part['image_url'], `${path}.image_url`, dialect)
  if (type === 'file' && dialect.isComplete) return readFile(part['file'], `${path}.file`)
  throw unsupported(type, path, dialect)
}

function readImage(value: unknown, path: string, dialect: InputDialect): JsonObject {
  const image = requireObject(value, path)
  const detail = optionalString(image['detail'], `${path}.detail`)
  return present({
    type: 'input_image',
    image_url: requireString(image['url'], `${path}.url`),
    // OpenAI's own type wants it said.
    detail: dialect.isComplete ? (detail ?? 'auto') : undefined,
  })
}

function readFile(value: unknown, path: string): JsonObject {
  const file = requireObject(value, path)
  if (['file_data', 'file_id', 'file_url'].every((key) => isAbsent(file[key]))) {
    throw invalid(`${path} needs file_data or file_id.`, path)
  }
  return present({
    type: 'input_file',
    file_data: optionalString(file['file_data'], `${path}.file_data`),
    file_id: optionalString(file['file_id'], `${path}.file_id`),
    file_url: optionalString(file['file_url'], `${path}.file_url`),
    filename: optionalString(file['filename'], `${path}.filename`),
  })
}

function unsupported(type: string, path: string, { name }: InputDialect) {
  return invalid(`${path}: ${name} takes no part of type ${type} here.`, path)
}
