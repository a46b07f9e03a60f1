import { invalidField } from '#kernel/errors'
import type { AssistantTurn } from '../../chat/assistant.ts'
import type { Conversation, UserTurn } from '../../chat/conversation.ts'
import type { ToolResult } from '../../chat/open-calls.ts'
import type { MediaPart } from '../../chat/parts.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import type { GeminiCapabilities } from './models.ts'
import { toPart } from './parts.ts'
import type { GeminiPart } from './parts.ts'
import { signaturesOf, signed } from './signatures.ts'

interface Content {
  role: 'user' | 'model'
  parts: GeminiPart[]
}

export interface Contents {
  systemInstruction?: { parts: GeminiPart[] }
  contents: Content[]
}

interface GeminiContext {
  can: GeminiCapabilities
  names: ToolNames
  dropped: Set<string>
}

export function toContents(conversation: Conversation, how: GeminiContext): Contents {
  const contents: Content[] = []
  const add = (role: Content['role'], parts: GeminiPart[]) => {
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  const instructions = conversation.instructions.map((part) => toPart(part, how.can, how.dropped))
  if (!how.can.systemInstruction) add('user', instructions)
  for (const turn of conversation.turns) {
    if (turn.role === 'assistant') add('model', modelParts(turn, how))
    else if (turn.role === 'user') add('user', userParts(turn, how))
    // Gemini takes no system message within a conversation: it is sent as the user's.
    else
      add(
        'user',
        turn.parts.map((part) => toPart(part, how.can, how.dropped)),
      )
  }
  const isApart = how.can.systemInstruction && instructions.length > 0
  return isApart ? { systemInstruction: { parts: instructions }, contents } : { contents }
}

function modelParts(turn: AssistantTurn, how: GeminiContext): GeminiPart[] {
  const parts = turn.parts.map((part) => toPart(part, how.can, how.dropped))
  const signatures = signaturesOf(turn)
  const lastText = parts.at(-1)
  if (signatures.text !== '' && lastText) lastText['thoughtSignature'] = signatures.text
  const isSigned = how.can.generation >= 3
  for (const [index, call] of turn.calls.entries()) {
    const functionCall = {
      ...(isSigned ? { id: call.id } : {}),
      name: how.names.toProvider(call.name),
      args: call.arguments,
    }
    parts.push({ functionCall, ...signed(signatures.calls.get(call.id) ?? '', isSigned && index === 0) })
  }
  return parts
}

function userParts(turn: UserTurn, how: GeminiContext): GeminiPart[] {
  const responses = turn.results.map((result) => toResponse(result, how))
  return [...responses, ...turn.parts.map((part) => toPart(part, how.can, how.dropped))]
}

/** Inside a result there is no word for how closely an image is to be looked at. */
function resultMedia(part: MediaPart, { can, dropped }: GeminiContext): GeminiPart {
  if (part.detail === 'low' || part.detail === 'high') dropped.add('image_url.detail')
  return toPart({ ...part, detail: undefined }, can, dropped)
}

/** The result goes as the text it is: parsing it would change large numbers and give words like $ref a meaning. */
function toResponse({ call, parts, path, cacheControl }: ToolResult, how: GeminiContext): GeminiPart {
  if (cacheControl) how.dropped.add('cache_control')
  const texts: string[] = []
  const media: GeminiPart[] = []
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text)
    else media.push(resultMedia(part, how))
  }
  const isSigned = how.can.generation >= 3
  if (media.length > 0 && !isSigned) {
    throw invalidField(`${path}.content`, 'must be text: this model does not accept media in tool results')
  }
  return {
    functionResponse: {
      ...(isSigned ? { id: call.id } : {}),
      name: how.names.toProvider(call.name),
      response: { output: texts.join('\n') },
      ...(media.length > 0 ? { parts: media } : {}),
    },
  }
}
