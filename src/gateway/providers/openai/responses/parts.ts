import { invalidField } from '#kernel/errors'
import { isAbsent, present, type JsonObject } from '../../../wire/json.ts'
import { optionalString, requireObject, requireString } from '../../../wire/request-json.ts'

/** How a service that speaks the Responses API differs from OpenAI's own. */
export interface ResponsesVariant {
  readonly name: string
  /** Roles as the service calls them; others are refused. */
  readonly roles: ReadonlyMap<string, string>
  /** Takes files, image detail, refusals and reasoning items. */
  readonly isComplete: boolean
  /** Results carry the name of their function, calls the signature of the thought behind them. */
  readonly namesResults: boolean
}

/** Content parts as the Responses API names them: `input_*` for what goes in, `output_text` for what the model wrote. */
export function readParts(
  parts: readonly unknown[],
  path: string,
  side: 'input' | 'output',
  variant: ResponsesVariant,
): JsonObject[] {
  return parts.map((each, index) => readPart(each, `${path}.${index}`, side, variant))
}

function readPart(
  value: unknown,
  path: string,
  side: 'input' | 'output',
  variant: ResponsesVariant,
): JsonObject {
  const part = requireObject(value, path)
  const type = requireString(part['type'], `${path}.type`)
  if (type === 'text') return { type: `${side}_text`, text: requireString(part['text'], `${path}.text`) }
  if (side === 'output') {
    if (type !== 'refusal') throw unsupported(type, path, variant)
    const refusal = requireString(part['refusal'], `${path}.refusal`)
    return variant.isComplete ? { type, refusal } : { type: 'output_text', text: refusal }
  }
  if (type === 'image_url') return readImage(part['image_url'], `${path}.image_url`, variant)
  if (type === 'file' && variant.isComplete) return readFile(part['file'], `${path}.file`)
  throw unsupported(type, path, variant)
}

function readImage(value: unknown, path: string, variant: ResponsesVariant): JsonObject {
  const image = requireObject(value, path)
  const detail = optionalString(image['detail'], `${path}.detail`)
  return present({
    type: 'input_image',
    image_url: requireString(image['url'], `${path}.url`),
    // OpenAI's own type requires it.
    detail: variant.isComplete ? (detail ?? 'auto') : undefined,
  })
}

function readFile(value: unknown, path: string): JsonObject {
  const file = requireObject(value, path)
  if (['file_data', 'file_id', 'file_url'].every((key) => isAbsent(file[key]))) {
    throw invalidField(path, 'needs file_data or file_id')
  }
  return present({
    type: 'input_file',
    file_data: optionalString(file['file_data'], `${path}.file_data`),
    file_id: optionalString(file['file_id'], `${path}.file_id`),
    file_url: optionalString(file['file_url'], `${path}.file_url`),
    filename: optionalString(file['filename'], `${path}.filename`),
  })
}

function unsupported(type: string, path: string, { name }: ResponsesVariant) {
  return invalidField(path, `is a part of type ${type}, which ${name} does not accept here`)
}
