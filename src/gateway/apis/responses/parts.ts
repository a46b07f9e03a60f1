import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireObject, requireString, wrongType } from '../../wire/request-json.ts'

/** Content as chat completions take it: a text, or parts. */
export function toContent(content: unknown, path: string): string | JsonObject[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array of parts', content)
  return content.map((part, index) => toPart(part, `${path}[${index}]`))
}

function toPart(value: unknown, path: string): JsonObject {
  const part = requireObject(value, path)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: requireString(part['text'], `${path}.text`) }
    case 'refusal':
      return { type: 'text', text: requireString(part['refusal'], `${path}.refusal`) }
    case 'input_image':
      return toImage(part, path)
    case 'input_file':
      return toFile(part, path)
    case 'input_audio':
      return { type: 'input_audio', input_audio: requireObject(part['input_audio'], `${path}.input_audio`) }
    default:
      throw invalidField(`${path}.type`, 'is not a known type of content part')
  }
}

function toImage(part: JsonObject, path: string): JsonObject {
  if (isAbsent(part['image_url'])) refuseStored(part, path, 'image_url')
  const url = requireString(part['image_url'], `${path}.image_url`)
  const detail = optionalString(part['detail'], `${path}.detail`)
  // Chat completions know no image in its original size; the closest is a close look.
  const known = detail === 'original' ? 'high' : detail
  return {
    type: 'image_url',
    image_url: { url, ...(isAbsent(known) || known === 'auto' ? {} : { detail: known }) },
  }
}

/** A file given by URL is in the same field as its data: adapters distinguish the two. */
function toFile(part: JsonObject, path: string): JsonObject {
  const data = optionalString(part['file_data'], `${path}.file_data`)
  const url = optionalString(part['file_url'], `${path}.file_url`)
  const content = data ?? url
  if (content === undefined) {
    refuseStored(part, path, 'file_data')
    throw invalidField(`${path}.file_data`, 'or file_url is required')
  }
  const filename = optionalString(part['filename'], `${path}.filename`)
  return { type: 'file', file: { file_data: content, ...(filename === undefined ? {} : { filename }) } }
}

function refuseStored(part: JsonObject, path: string, instead: string): void {
  if (isAbsent(part['file_id'])) return
  throw invalidField(`${path}.file_id`, `refers to a file stored at another provider; send it as ${instead}`)
}
