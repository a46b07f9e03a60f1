import { invalid } from '#kernel/errors'
import { optionalText, requireList, requireObject, requireText } from '../../providers/chat/json.ts'
import { isAbsent, isObject } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url' | 'file'; [field: string]: unknown }

/** Content that is a text or a list of blocks, as the parts of a chat message. */
export function toParts(content: unknown, path: string, dropped: Set<string>): ChatPart[] {
  if (typeof content === 'string') return [textPart(content)]
  return requireList(content, path).flatMap((block, index) => {
    const place = `${path}.${index}`
    return blockParts(requireObject(block, place), place, dropped)
  })
}

export function blockParts(block: JsonObject, path: string, dropped: Set<string>): ChatPart[] {
  noteMarks(block, dropped)
  switch (block['type']) {
    case 'text':
      return [textPart(requireText(block['text'], `${path}.text`))]
    case 'image':
      return [imagePart(requireObject(block['source'], `${path}.source`), `${path}.source`)]
    case 'document':
      return documentParts(block, path, dropped)
    case 'search_result':
      return [
        textPart(
          `${requireText(block['title'], `${path}.title`)}\n${requireText(block['source'], `${path}.source`)}`,
        ),
        ...toParts(block['content'], `${path}.content`, dropped),
      ]
    default:
      throw invalid(
        `${path}.type: blocks of this type can be sent to models that speak this form themselves, not to this one.`,
        `${path}.type`,
      )
  }
}

/** Marks that change what a request costs or what is told beside the answer, but not the answer. */
export function noteMarks(block: JsonObject, dropped: Set<string>): void {
  if (!isAbsent(block['cache_control'])) dropped.add('cache_control')
  const { citations } = block
  if (isObject(citations) && citations['enabled'] === true) dropped.add('citations')
}

/** Text of content that can hold nothing else. */
export function textOnly(content: unknown, path: string, separator: string, dropped: Set<string>): string {
  const texts = toParts(content, path, dropped).map((part, index) => {
    if (part.type !== 'text') throw invalid(`${path}.${index} must be a text.`, `${path}.${index}`)
    return part.text
  })
  return texts.join(separator)
}

const textPart = (text: string): ChatPart & { type: 'text' } => ({ type: 'text', text })

function imagePart(source: JsonObject, path: string): ChatPart {
  return { type: 'image_url', image_url: { url: addressOf(source, path) } }
}

function documentParts(block: JsonObject, path: string, dropped: Set<string>): ChatPart[] {
  const source = requireObject(block['source'], `${path}.source`)
  const title = optionalText(block['title'], `${path}.title`) ?? ''
  const head = [title, optionalText(block['context'], `${path}.context`) ?? ''].filter((text) => text !== '')
  if (source['type'] === 'text') {
    const text = requireText(source['data'], `${path}.source.data`)
    return [textPart([...head, text].join('\n\n'))]
  }
  if (source['type'] === 'content') {
    const parts = toParts(source['content'], `${path}.source.content`, dropped)
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
  if (source['type'] === 'url') return requireText(source['url'], `${path}.url`)
  if (source['type'] === 'base64') {
    const mediaType = requireText(source['media_type'], `${path}.media_type`)
    return `data:${mediaType};base64,${requireText(source['data'], `${path}.data`)}`
  }
  throw invalid(
    `${path}.type must be base64 or url: files kept elsewhere do not reach this model.`,
    `${path}.type`,
  )
}
