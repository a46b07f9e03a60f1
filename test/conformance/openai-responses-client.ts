import OpenAI from 'openai'
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInput,
} from 'openai/resources/responses/responses'
import type { Ask, Call, Client, Endpoint, ClientResponse } from './client.ts'
import { failure } from './openai-client.ts'

/** The `openai` package with `responses`, keeping the conversation itself: nothing is stored. */
export function openaiResponsesClient(endpoint: Endpoint): Client {
  const openai = new OpenAI({ ...endpoint, maxRetries: 0 })

  async function whole(ask: Ask, input: ResponseInput): Promise<ClientResponse> {
    const response = await openai.responses.create(settings(ask, input), { signal: ask.signal })
    return toResponse(response, 1, ask, (turn) => whole(ask, [...input, ...turn]))
  }

  async function stream(ask: Ask, input: ResponseInput, onPiece?: () => void): Promise<ClientResponse> {
    let pieces = 0
    const events = await openai.responses.create(
      { ...settings(ask, input), stream: true },
      { signal: ask.signal },
    )
    let response: Response | undefined
    for await (const event of events) {
      if (event.type === 'response.completed' || event.type === 'response.incomplete')
        response = event.response
      if (event.type !== 'response.output_text.delta') continue
      pieces++
      onPiece?.()
    }
    if (!response) throw new Error('the stream had no end')
    return toResponse(response, pieces, ask, (turn) => stream(ask, [...input, ...turn]))
  }

  return {
    name: 'openai',
    whole: (ask) => whole(ask, [question(ask)]),
    stream: (ask, onPiece) => stream(ask, [question(ask)], onPiece),
    failure,
  }
}

function settings(ask: Ask, input: ResponseInput): ResponseCreateParamsNonStreaming {
  const tools = (ask.tools ?? []).map((each) => ({ type: 'function' as const, strict: true, ...each }))
  return {
    model: ask.model,
    input,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(tools.length > 0 && { tools }),
    ...(ask.searches && { tools: [{ type: 'web_search' }] }),
    ...(ask.mustCall && { tool_choice: 'required' }),
    ...(ask.reasons && { reasoning: { effort: 'high', summary: 'auto' } }),
    ...(ask.json === 'object' && { text: { format: { type: 'json_object' } } }),
    ...(typeof ask.json === 'object' && {
      text: { format: { type: 'json_schema', name: 'place', schema: ask.json, strict: true } },
    }),
  }
}

function question({ prompt, image }: Ask): ResponseInput[number] {
  if (image === undefined) return { role: 'user', content: prompt }
  return {
    role: 'user',
    content: [
      { type: 'input_text', text: prompt },
      { type: 'input_image', image_url: image, detail: 'auto' },
    ],
  }
}

function toResponse(
  response: Response,
  pieces: number,
  ask: Ask,
  goOn: (turn: ResponseInput) => Promise<ClientResponse>,
): ClientResponse {
  const { output, usage } = response
  const calls = output
    .filter((item) => item.type === 'function_call')
    .map((item) => ({ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }))
  const texts = output.filter((item) => item.type === 'message').flatMap((item) => item.content)
  // A streamed response has no `output_text`: the package adds that to whole ones only.
  const text = texts.map((part) => (part.type === 'output_text' ? part.text : '')).join('')
  const thoughts = output.filter((item) => item.type === 'reasoning').flatMap((item) => item.summary)
  const done = calls.length > 0 ? 'tool_calls' : 'stop'
  const results = (resultOf: (call: Call) => string) =>
    calls.map((call) => ({ type: 'function_call_output', call_id: call.id, output: resultOf(call) }))
  return {
    text,
    pieces,
    finish: response.status === 'completed' ? done : String(response.incomplete_details?.reason),
    usage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      total: usage?.total_tokens ?? 0,
    },
    calls,
    reasoning: thoughts.map((part) => part.text).join(''),
    json: ask.json && JSON.parse(text),
    // All items go back as they came, as the package's own examples do.
    resume: (resultOf) => goOn([...output, ...results(resultOf)] as ResponseInput),
  }
}
