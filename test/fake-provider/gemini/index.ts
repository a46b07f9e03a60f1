import { callIds, compose } from '../completion.ts'
import { arrayOf, numberOf, objectOf, objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { countInput, emptyPrompt } from '../prompt.ts'
import type { Prompt } from '../prompt.ts'
import type { RecordedRequest } from '../record.ts'
import { googleEvent } from '../sse.ts'
import { eventStream } from '../provider-api.ts'
import type { Exchange, Outgoing, ProviderApi } from '../provider-api.ts'
import { checkGenerate } from './check.ts'
import { fault, geminiError, geminiJson, refuse, refuseKey } from './fault.ts'
import { describeGemini, embeddingModel, findGemini, geminiModels } from './models.ts'
import type { GeminiModel } from './models.ts'
import { renderBlocked, renderContent, renderContentStream } from './render.ts'
import type { GeminiRendering } from './render.ts'

export const gemini: ProviderApi = {
  name: 'gemini',
  endpoints: [
    {
      name: 'generate',
      method: 'POST',
      path: /^\/v1beta\/models\/[^/:]+:(generateContent|streamGenerateContent)$/,
      respond: respondGenerate,
    },
    {
      name: 'count_tokens',
      method: 'POST',
      path: /^\/v1beta\/models\/[^/:]+:countTokens$/,
      respond: respondCount,
    },
    { name: 'models', method: 'GET', path: /^\/v1beta\/models$/, respond: respondModels },
  ],
  authenticate,
  fault,
  streamFault: (error) => googleEvent({ error: geminiError({ status: 503, ...error }) }),
  headers: () => ({ vary: 'Origin, X-Origin, Referer', 'server-timing': 'gfet4t7; dur=12' }),
}

function authenticate(request: RecordedRequest): void {
  const header = request.headers['x-goog-api-key']
  const query = request.query.get('key')
  if (header !== undefined && query !== null) {
    refuse('Multiple authentication credentials received. Please pass only one.')
  }
  const key = query ?? (header === undefined ? undefined : String(header))
  if (key === undefined) {
    refuse(
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      403,
    )
  }
  if (key === '' || key.includes('bad')) refuseKey()
}

function respondGenerate({ request, reply, identifiers, cache }: Exchange): Outgoing {
  const streamed = request.path.endsWith(':streamGenerateContent')
  const model = findGemini(request.model)
  if (model === undefined && reply.unchecked !== true) {
    refuse(
      `models/${request.model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      404,
    )
  }
  if (model !== undefined && reply.unchecked !== true) checkGenerate(request.json, model)
  const body = objectOf(request.json)
  const prompt = readPrompt(body, request.model, model)
  const hit = prompt.inputTokens >= 1024 && cache.hit(`gemini ${prompt.model}`, body['contents'])
  const completion = compose(prompt, reply, callIds(identifiers, '', 8), {
    read: hit ? prompt.inputTokens - 16 : 0,
    write: 0,
  })
  const config = objectOf(body['generationConfig'])
  const how: GeminiRendering = {
    responseId: identifiers.next('', 23),
    model: request.model,
    signs: (model?.generation ?? 3) >= 3,
    shown: prompt.reasoning === 'shown' || reply.reasoning !== undefined,
    candidates: numberOf(config['candidateCount']) ?? 1,
    logprobs: config['responseLogprobs'] === true,
    images: prompt.images,
  }
  if (reply.blockReason !== undefined) {
    const blocked = renderBlocked(reply.blockReason, completion, how)
    return streamed ? stream([googleEvent(blocked)]) : geminiJson(200, blocked)
  }
  if (!streamed) return geminiJson(200, renderContent(completion, how))
  const frames = renderContentStream(completion, how)
  return request.query.get('alt') === 'sse' ? stream(frames) : jsonArray(frames)
}

function respondCount({ request }: Exchange): Outgoing {
  const { generateContentRequest: asked, ...rest } = objectOf(request.json)
  const model = findGemini(request.model)
  if (model === undefined) refuse(`models/${request.model} is not found for API version v1beta.`, 404)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) refuse(`Invalid JSON payload received. Unknown name "${unknown}".`)
  const { model: name, ...body } = objectOf(asked)
  if (name !== `models/${request.model}`) refuse('* CountTokensRequest.model: unexpected model name format')
  checkGenerate(body, model)
  return geminiJson(200, { totalTokens: readPrompt(body, request.model, model).inputTokens })
}

function stream(frames: Iterable<string>): Outgoing {
  return eventStream(frames, { 'content-type': 'text/event-stream' })
}

/** Without `alt=sse` the same objects come as one JSON array. */
function jsonArray(frames: Iterable<string>): Outgoing {
  const objects = Array.from(frames, (frame) => JSON.parse(frame.slice('data: '.length)) as unknown)
  return geminiJson(200, objects)
}

function readPrompt(body: JsonObject, name: string, model: GeminiModel | undefined): Prompt {
  const contents = objectsOf(body['contents'])
  const isResponse = (turn: JsonObject) =>
    objectsOf(turn['parts']).some((part) => part['functionResponse'] !== undefined)
  const spoken = contents.findLast((turn) => turn['role'] !== 'model' && !isResponse(turn))
  const last = contents.at(-1)
  const parts = objectsOf(spoken?.['parts'])
  const media = parts.map((part) => stringOf(objectOf(part['inlineData'] ?? part['fileData'])['mimeType']))
  const config = objectOf(body['generationConfig'])
  const calling = objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])
  const schema = config['responseJsonSchema'] ?? config['responseSchema']
  return {
    ...emptyPrompt,
    model: name,
    text: parts
      .map((part) => stringOf(part['text']))
      .filter((text) => text !== '')
      .join('\n'),
    images: media.filter((type) => type.startsWith('image/')).length,
    documents: media.filter((type) => type === 'application/pdf' || type === 'text/plain').length,
    audio: media.filter((type) => type.startsWith('audio/')).length,
    tools: objectsOf(body['tools'])
      .flatMap((tool) => objectsOf(tool['functionDeclarations']))
      .map((declaration) => ({
        name: stringOf(declaration['name']),
        schema: declaration['parametersJsonSchema'] ?? declaration['parameters'] ?? { type: 'object' },
      })),
    toolChoice: readChoice(calling),
    toolResults: objectsOf(last?.['parts'])
      .map((part) => objectOf(part['functionResponse'])['response'])
      .filter((response) => response !== undefined)
      .map(resultText),
    json:
      config['responseMimeType'] !== 'application/json'
        ? undefined
        : schema === undefined
          ? 'object'
          : { schema },
    stop: arrayOf(config['stopSequences']).map(stringOf),
    maxTokens: numberOf(config['maxOutputTokens']),
    reasoning: readReasoning(objectOf(config['thinkingConfig']), model),
    inputTokens: countInput([body['systemInstruction'], contents, body['tools']]),
  }
}

function resultText(response: unknown): string {
  const output = objectOf(response)['output'] ?? objectOf(response)['error'] ?? response
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function readChoice(calling: JsonObject): Prompt['toolChoice'] {
  if (calling['mode'] === 'NONE') return 'none'
  if (calling['mode'] !== 'ANY') return 'auto'
  const allowed = arrayOf(calling['allowedFunctionNames']).map(stringOf)
  return allowed.length === 1 && allowed[0] !== undefined ? { name: allowed[0] } : 'required'
}

function readReasoning(thinking: JsonObject, model: GeminiModel | undefined): Prompt['reasoning'] {
  if (model === undefined || (model.levels.length === 0 && model.budget === undefined)) return 'none'
  if (thinking['thinkingBudget'] === 0) return 'none'
  return thinking['includeThoughts'] === true ? 'shown' : 'hidden'
}

function respondModels({ request }: Exchange): Outgoing {
  const all = [...geminiModels.map(describeGemini), embeddingModel]
  const size = Math.min(1000, Number(request.query.get('pageSize') ?? 50))
  const start = Number(request.query.get('pageToken') ?? 0)
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(start))
    refuse('Request contains an invalid argument.')
  const next = start + size
  return geminiJson(200, {
    models: all.slice(start, next),
    ...(next < all.length ? { nextPageToken: String(next) } : {}),
  })
}
