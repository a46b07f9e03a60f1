import { invalidField } from '#kernel/errors'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireArray, requireObject, requireString } from '../../wire/request-json.ts'
import { marked } from './marks.ts'
import type { Marking } from './marks.ts'

export interface TextPart {
  type: 'text'
  text: string
  cache_control?: JsonObject
}
export type ChatPart = TextPart | { type: 'image_url' | 'file'; [field: string]: unknown }

/** Content that is a text or a list of blocks, as the parts of a chat message. */
export function toParts(content: unknown, path: string, how: Marking): ChatPart[] {
  if (typeof content === 'string') return [textPart(content)]
  return requireArray(content, path).flatMap((block, index) => {
    const place = `${path}.${index}`
    return blockParts(requireObject(block, place), place, how)
  })
}

export function blockParts(block: JsonObject, path: string, how: Marking): ChatPart[] {
  noteCitations(block, how.dropped)
  return marked(partsOf(block, path, how), block, path, how)
}

function partsOf(block: JsonObject, path: string, how: Marking): ChatPart[] {
  switch (block['type']) {
    case 'text':
      return [textPart(requireString(block['text'], `${path}.text`))]
    case 'image':
      return [imagePart(requireObject(block['source'], `${path}.source`), `${path}.source`)]
    case 'document':
      return documentParts(block, path, how)
    case 'search_result':
      return [
        textPart(
          `${requireString(block['title'], `${path}.title`)}\n${requireString(block['source'], `${path}.source`)}`,
        ),
        ...toParts(block['content'], `${path}.content`, how),
      ]
    default:
      throw invalidField(
        `${path}.type`,
        'is a block type that only models of providers with the Messages API take, not this one',
      )
  }
}

/** They change what is told beside the answer, but not the answer. */
export function noteCitations(block: JsonObject, dropped: Set<string>): void {
  const { citations } = block
  if (isObject(citations) && citations['enabled'] === true) dropped.add('citations')
}

/** Content that can hold nothing but texts. */
export function textParts(content: unknown, path: string, how: Marking): TextPart[] {
  return toParts(content, path, how).map((part, index) => {
    if (part.type !== 'text') throw invalidField(`${path}.${index}`, 'must be a text block')
    return part
  })
}

/**
 * Texts as one, or as parts where marks may stand on them. There all texts are parts, marked or not: a prompt that
 * changed its form as the marks move on would not be found in the cache.
 */
export function textContent(texts: readonly TextPart[], separator: string, { cachePlaces }: Marking) {
  if (!cachePlaces.includes('text')) return texts.map(({ text }) => text).join(separator)
  const said = texts.filter(({ text }) => text !== '')
  return said.length > 0 ? said : ''
}

export const textPart = (text: string): TextPart => ({ type: 'text', text })

function imagePart(source: JsonObject, path: string): ChatPart {
  return { type: 'image_url', image_url: { url: addressOf(source, path) } }
}

function documentParts(block: JsonObject, path: string, how: Marking): ChatPart[] {
  const source = requireObject(block['source'], `${path}.source`)
  const title = optionalString(block['title'], `${path}.title`) ?? ''
  const head = [title, optionalString(block['context'], `${path}.context`) ?? ''].filter(
    (text) => text !== '',
  )
  if (source['type'] === 'text') {
    const text = requireString(source['data'], `${path}.source.data`)
    return [textPart([...head, text].join('\n\n'))]
  }
  if (source['type'] === 'content') {
    const parts = toParts(source['content'], `${path}.source.content`, how)
    return head.length > 0 ? [textPart(head.join('\n\n')), ...parts] : parts
  }
  const file = { filename: fileName(title), file_data: addressOf(source, `${path}.source`) }
  const context = head.slice(title === '' ? 0 : 1).map(textPart)
  return [...context, { type: 'file', file }]
}

/** Some services tell the kind of a file by the end of its name. */
function fileName(title: string): string {
  if (title === '') return 'document.pdf'
  return /\.\w{1,8}$/.test(title) ? title : `${title}.pdf`
}

function addressOf(source: JsonObject, path: string): string {
  if (source['type'] === 'url') return requireString(source['url'], `${path}.url`)
  if (source['type'] === 'base64') {
    const mediaType = requireString(source['media_type'], `${path}.media_type`)
    return `data:${mediaType};base64,${requireString(source['data'], `${path}.data`)}`
  }
  throw invalidField(`${path}.type`, 'must be base64 or url: files kept elsewhere do not reach this model')
}
