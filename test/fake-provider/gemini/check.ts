import { unseal } from '../identifiers.ts'
import { isAbsent, isObject, arrayOf, numberOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { checkContents } from './check-contents.ts'
import { checkJsonSchema, checkOpenApiSchema } from './check-schema.ts'
import { refuse, refuseField } from './fault.ts'
import type { GeminiModel } from './models.ts'

const topFields = new Set(
  `contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent serviceTier store
  continuationToken model`.split(/\s+/),
)
const configFields = new Set(
  `maxOutputTokens temperature topP topK stopSequences candidateCount seed responseLogprobs logprobs
  presencePenalty frequencyPenalty responseMimeType responseSchema responseJsonSchema responseModalities
  speechConfig thinkingConfig mediaResolution audioTranscriptionConfig enableEnhancedCivicAnswers
  imageConfig`.split(/\s+/),
)
const declarationFields = new Set(
  'name description parameters parametersJsonSchema response responseJsonSchema behavior'.split(' '),
)
const modes = ['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']

/** Refuses what generateContent refuses, in its words. */
export function checkGenerate(json: unknown, model: GeminiModel): void {
  if (!isObject(json)) refuse('Invalid JSON payload received. Unexpected end of string. Expected a value.')
  const body = json
  for (const key of Object.keys(body)) if (!topFields.has(key)) refuseField(key, '')
  if (!isAbsent(body['systemInstruction'])) {
    if (!model.systemInstruction) refuse(`Developer instruction is not enabled for models/${model.id}`)
    if (arrayOf(objectOf(body['systemInstruction'])['parts']).length === 0) {
      refuse('* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.\n')
    }
  }
  const token = body['continuationToken']
  if (!isAbsent(token) && unseal(stringOf(token)) === undefined) refuse('Invalid continuation token.')
  checkContents(body['contents'], model)
  const config = objectOf(body['generationConfig'])
  checkConfig(config, model)
  checkThinking(objectOf(config['thinkingConfig']), model)
  const functions = checkTools(body)
  checkToolConfig(body, functions)
  const asJson = config['responseMimeType'] === 'application/json'
  const mode = stringOf(objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])['mode']) || 'AUTO'
  if (asJson && functions.length > 0 && (model.generation < 3 || mode !== 'AUTO')) {
    refuse("Function calling with a response mime type: 'application/json' is unsupported")
  }
}

function checkConfig(config: JsonObject, model: GeminiModel): void {
  for (const key of Object.keys(config)) if (!configFields.has(key)) refuseField(key, 'generation_config')
  const at = 'GenerateContentRequest.generation_config'
  const temperature = numberOf(config['temperature'])
  if (temperature !== undefined && (temperature < 0 || temperature > 2)) {
    refuse(`* ${at}.temperature: temperature must be in the range [0.0, 2.0].\n`)
  }
  const topP = numberOf(config['topP'])
  if (topP !== undefined && (topP < 0 || topP > 1))
    refuse(`* ${at}.top_p: top_p must be in the range [0.0, 1.0].\n`)
  const tokens = numberOf(config['maxOutputTokens'])
  if (tokens !== undefined && (tokens < 1 || tokens > model.output)) {
    refuse(
      `Unable to submit request because it has a maxOutputTokens value of ${tokens} but the supported range is from 1 (inclusive) to ${model.output + 1} (exclusive). Update the value and try again.`,
    )
  }
  if (arrayOf(config['stopSequences']).length > 5)
    refuse(`* ${at}.stop_sequences: at most 5 stop sequences are supported.\n`)
  const candidates = numberOf(config['candidateCount']) ?? 1
  if (candidates < 1 || candidates > 8) refuse(`* ${at}.candidate_count: must be in the range [1, 8].\n`)
  if (!isAbsent(config['presencePenalty']) || !isAbsent(config['frequencyPenalty'])) {
    refuse(`Penalty is not enabled for models/${model.id}`)
  }
  if (config['responseLogprobs'] === true && model.generation >= 3) {
    refuse(`Logprobs is not enabled for models/${model.id}`)
  }
  const { responseSchema, responseJsonSchema, responseMimeType } = config
  if (!isAbsent(responseSchema) && !isAbsent(responseJsonSchema)) {
    refuse(`* ${at}: only one of response_schema and response_json_schema may be set.\n`)
  }
  if (
    (!isAbsent(responseSchema) || !isAbsent(responseJsonSchema)) &&
    responseMimeType !== 'application/json'
  ) {
    refuse(`* ${at}.response_mime_type: must be set to application/json when a response schema is set.\n`)
  }
  checkOpenApiSchema(responseSchema, 'generation_config.response_schema')
  checkJsonSchema(responseJsonSchema, 'generation_config.response_json_schema')
}

function checkThinking(thinking: JsonObject, model: GeminiModel): void {
  const { thinkingLevel: level, thinkingBudget: budget } = thinking
  for (const key of Object.keys(thinking)) {
    if (!['thinkingLevel', 'thinkingBudget', 'includeThoughts'].includes(key)) {
      refuseField(key, 'generation_config.thinking_config')
    }
  }
  if (!isAbsent(level) && !isAbsent(budget))
    refuse('You can only set only one of thinking budget and thinking level.')
  if (!isAbsent(level)) {
    if (model.levels.length === 0) refuse('Thinking level is not supported for this model.')
    if (!model.levels.includes(stringOf(level).toLowerCase())) {
      refuse(
        `Thinking level ${stringOf(level).toUpperCase()} is not supported for this model. Please retry with other thinking level.`,
      )
    }
  }
  const amount = numberOf(budget)
  if (amount === undefined || amount === -1) return
  if (model.generation >= 4)
    refuse('Thinking budget is not supported for this model. Please use thinking level.')
  const range = model.budget ?? { minimum: 0, maximum: 32_768, canBeOff: false }
  if (amount === 0 && !range.canBeOff) refuse('Budget 0 is invalid. This model only works in thinking mode.')
  if (amount !== 0 && (amount < range.minimum || amount > range.maximum)) {
    refuse(
      `The thinking budget ${amount} is invalid. Please choose a value between ${range.minimum} and ${range.maximum}.`,
    )
  }
}

function checkTools(body: JsonObject): string[] {
  const names: string[] = []
  for (const [index, tool] of objectsOf(body['tools']).entries()) {
    for (const [place, declaration] of objectsOf(tool['functionDeclarations']).entries()) {
      const at = `tools[${index}].function_declarations[${place}]`
      for (const key of Object.keys(declaration)) if (!declarationFields.has(key)) refuseField(key, at)
      const name = stringOf(declaration['name'])
      if (!/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name)) {
        refuse(
          `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
        )
      }
      if (names.includes(name)) refuse(`Duplicate function declaration found: ${name}`)
      names.push(name)
      const { parameters, parametersJsonSchema } = declaration
      if (!isAbsent(parameters) && !isAbsent(parametersJsonSchema)) {
        refuse(
          `* GenerateContentRequest.${at}: only one of parameters and parameters_json_schema may be set.\n`,
        )
      }
      checkOpenApiSchema(parameters, `${at}.parameters`)
    }
  }
  return names
}

function checkToolConfig(body: JsonObject, functions: string[]): void {
  const config = objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])
  const mode = stringOf(config['mode'])
  if (mode !== '' && !modes.includes(mode)) {
    refuse(
      `Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), "${mode}"`,
    )
  }
  const allowed = arrayOf(config['allowedFunctionNames']).map(stringOf)
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    refuse('Allowed function names should only be set when function calling mode is ANY.')
  }
  const unknown = allowed.find((name) => !functions.includes(name))
  if (unknown !== undefined)
    refuse(`Allowed function name ${unknown} is not declared in function_declarations.`)
  if ((mode === 'ANY' || mode === 'VALIDATED') && functions.length === 0) {
    refuse(`Function calling config is set without function_declarations.`)
  }
}
