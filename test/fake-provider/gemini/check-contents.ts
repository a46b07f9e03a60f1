import { unseal } from '../identifiers.ts'
import { isAbsent, isObject, arrayOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { refuse, refuseField } from './fault.ts'
import type { GeminiModel } from './models.ts'

const partFields = new Set(
  `text inlineData fileData functionCall functionResponse executableCode codeExecutionResult thought
  thoughtSignature videoMetadata mediaResolution`.split(/\s+/),
)
const dataFields = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

/** Google's own way out for a history that another model has made. */
const sentinel = 'skip_thought_signature_validator'
const sentinels = [sentinel, Buffer.from(sentinel).toString('base64')]

export function checkContents(contents: unknown, model: GeminiModel): void {
  const turns = objectsOf(contents)
  if (turns.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified\n')
  for (const [index, turn] of turns.entries()) {
    for (const key of Object.keys(turn)) {
      if (key !== 'role' && key !== 'parts') refuseField(key, `contents[${index}]`)
    }
    if (!isAbsent(turn['role']) && turn['role'] !== 'user' && turn['role'] !== 'model') {
      refuse('Please use a valid role: user, model.')
    }
    const parts = arrayOf(turn['parts'])
    if (parts.length === 0) {
      refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`)
    }
    for (const [place, part] of objectsOf(parts).entries()) {
      checkPart(part, `contents[${index}].parts[${place}]`, model)
    }
  }
  checkCallOrder(turns)
  if (model.generation >= 3) checkSignatures(turns)
}

function checkPart(part: JsonObject, at: string, model: GeminiModel): void {
  for (const key of Object.keys(part)) if (!partFields.has(key)) refuseField(key, at)
  const held = dataFields.filter((field) => part[field] !== undefined)
  if (held.length === 0) {
    refuse(
      `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field\n`,
    )
  }
  if (held.length > 1) {
    refuse(`Invalid value at '${at}' (oneof), oneof field 'data' is already set. Cannot set '${held[1]}'`)
  }
  const { inlineData, fileData, functionCall, functionResponse } = part
  if (isObject(inlineData)) {
    if (stringOf(inlineData['mimeType']) === '')
      refuse(`* GenerateContentRequest.${at}.inline_data.mime_type: must be set\n`)
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(stringOf(inlineData['data']))) {
      refuse(
        `Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${stringOf(inlineData['data']).slice(0, 20)}"`,
      )
    }
  }
  if (isObject(fileData) && stringOf(fileData['fileUri']) === '') {
    refuse(`* GenerateContentRequest.${at}.file_data.file_uri: must be set\n`)
  }
  if (isObject(functionCall)) {
    checkNamed(functionCall, `${at}.function_call`, 'args', model)
  }
  if (isObject(functionResponse)) {
    if (isAbsent(functionResponse['response']))
      refuse(`* GenerateContentRequest.${at}.function_response.response: must be set\n`)
    checkNamed(functionResponse, `${at}.function_response`, 'response', model)
  }
}

function checkNamed(value: JsonObject, at: string, content: string, model: GeminiModel): void {
  if (stringOf(value['name']) === '') refuse(`* GenerateContentRequest.${at}.name: Name cannot be empty.\n`)
  if (!isAbsent(value[content]) && !isObject(value[content])) {
    refuse(
      `Invalid value at '${at}.${content}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value[content])}`,
    )
  }
  if (!isAbsent(value['id']) && model.generation < 3) refuseField('id', at)
}

/** One response for each call, in the turn directly after it. */
function checkCallOrder(turns: JsonObject[]): void {
  for (const [index, turn] of turns.entries()) {
    const calls = partsWith(turn, 'functionCall').length
    const responses = partsWith(turns[index + 1], 'functionResponse').length
    const last = index === turns.length - 1
    if (calls > 0 && !last && calls !== responses) {
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
    }
    if (calls > 0 && index === 0) {
      refuse(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    }
    if (
      partsWith(turn, 'functionResponse').length > 0 &&
      partsWith(turns[index - 1], 'functionCall').length === 0
    ) {
      refuse('Please ensure that function response turn comes immediately after a function call turn.')
    }
  }
}

/** The first call of every model turn since the last word of the user must bear its signature. */
function checkSignatures(turns: JsonObject[]): void {
  const start = turns.findLastIndex(
    (turn) => turn['role'] !== 'model' && partsWith(turn, 'functionResponse').length === 0,
  )
  for (const [index, turn] of turns.entries()) {
    if (index <= start) continue
    const first = partsWith(turn, 'functionCall')[0]
    if (first === undefined) continue
    const signature = stringOf(first['thoughtSignature'])
    const name = stringOf((first['functionCall'] as JsonObject)['name'])
    if (signature === '') {
      refuse(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
      )
    }
    if (!sentinels.includes(signature) && unseal(signature) === undefined)
      refuse('Corrupted thought signature.')
  }
}

function partsWith(turn: JsonObject | undefined, field: string): JsonObject[] {
  return objectsOf(turn?.['parts']).filter((part) => part[field] !== undefined)
}
