import { invalidField } from '#kernel/errors'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireArray, requireObject, requireString } from '../../wire/request-json.ts'
import { withCacheControl } from './cache-control.ts'
import type { CacheContext, ChatPart, TextPart } from './context.ts'

/** Content that is a string or an array of blocks, as the parts of a chat message. */
export function toParts(content: unknown, path: string, context: CacheContext): ChatPart[] {
  if (typeof content === 'string') return [textPart(content)]
  return requireArray(content, path).flatMap((block, index) => {
    const place = `${path}.${index}`
    return blockParts(requireObject(block, place), place, context)
  })
}

export function blockParts(block: JsonObject, path: string, context: CacheContext): ChatPart[] {
  noteCitations(block, context.dropped)
  return withCacheControl(partsOf(block, path, context), block, path, context)
}

function partsOf(block: JsonObject, path: string, context: CacheContext): ChatPart[] {
  switch (block['type']) {
    case 'text':
      return [textPart(requireString(block['text'], `${path}.text`))]
    case 'image':
      return [imagePart(requireObject(block['source'], `${path}.source`), `${path}.source`)]
    case 'document':
      return documentParts(block, path, context)
    case 'search_result':
      return [
        textPart(
          `${requireString(block['title'], `${path}.title`)}\n${requireString(block['source'], `${path}.source`)}`,
        ),
        ...toParts(block['content'], `${path}.content`, context),
      ]
    default:
      throw invalidField(
        `${path}.type`,
        'is not supported by this model; only Messages API providers accept this block type',
      )
  }
}

/** Citations change what comes with the response, but not the response itself. */
export function noteCitations(block: JsonObject, dropped: Set<string>): void {
  const { citations } = block
  if (isObject(citations) && citations['enabled'] === true) dropped.add('citations')
}

/** Content that may only hold text. */
export function textParts(content: unknown, path: string, context: CacheContext): TextPart[] {
  return toParts(content, path, context).map((part, index) => {
    if (part.type !== 'text') throw invalidField(`${path}.${index}`, 'must be a text block')
    return part
  })
}

/**
 * One string, or parts where the provider takes `cache_control` on them. All texts are parts then, with or without
 * one: a prompt whose shape changed as the client moves its `cache_control` on would not be found in the cache.
 */
export function textContent(texts: readonly TextPart[], separator: string, { cachePlaces }: CacheContext) {
  if (!cachePlaces.includes('text')) return texts.map(({ text }) => text).join(separator)
  const said = texts.filter(({ text }) => text !== '')
  return said.length > 0 ? said : ''
}

export const textPart = (text: string): TextPart => ({ type: 'text', text })

function imagePart(source: JsonObject, path: string): ChatPart {
  return { type: 'image_url', image_url: { url: addressOf(source, path) } }
}

function documentParts(block: JsonObject, path: string, context: CacheContext): ChatPart[] {
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
    const parts = toParts(source['content'], `${path}.source.content`, context)
    return head.length > 0 ? [textPart(head.join('\n\n')), ...parts] : parts
  }
  const file = { filename: fileName(title), file_data: addressOf(source, `${path}.source`) }
  const description = head.slice(title === '' ? 0 : 1).map(textPart)
  return [...description, { type: 'file', file }]
}

/** Some services read the type of a file from its extension. */
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
