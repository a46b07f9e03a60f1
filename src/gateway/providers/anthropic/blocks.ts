import { invalidField } from '#kernel/errors'
import type { JsonObject } from '../../wire/json.ts'
import type { MediaPart, Part } from '../../chat/parts.ts'

export type Block = Record<string, unknown>

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

export function toBlock(part: Part, dropped: Set<string>): Block {
  if (part.type === 'text') return marked({ type: 'text', text: part.text }, part.cacheControl)
  if (part.detail !== undefined && part.detail !== 'auto') dropped.add('image_url.detail')
  return marked(mediaBlock(part), part.cacheControl)
}

export function marked(block: Block, cacheControl: JsonObject | undefined): Block {
  return cacheControl ? { ...block, cache_control: cacheControl } : block
}

function mediaBlock(part: MediaPart): Block {
  if (part.type === 'image') return imageBlock(part)
  if (part.type === 'file') return fileBlock(part)
  const path = `${part.path}.${part.type === 'audio' ? 'input_audio' : 'video_url'}`
  throw invalidField(path, `is ${part.type}, which Anthropic models do not accept`)
}

function imageBlock({ source, path }: MediaPart): Block {
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } }
  if (!imageTypes.has(source.mediaType)) {
    throw invalidField(`${path}.image_url`, 'must be a JPEG, PNG, GIF or WebP image')
  }
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType, data: source.data } }
}

function fileBlock(part: MediaPart): Block {
  const { source, path, name } = part
  const title = name === undefined ? {} : { title: name }
  if (source.kind === 'url') return { type: 'document', source: { type: 'url', url: source.url }, ...title }
  const { mediaType, data } = source
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title }
  }
  if (imageTypes.has(mediaType)) return imageBlock(part)
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    const text = Buffer.from(data, 'base64').toString()
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }
  }
  throw invalidField(`${path}.file`, 'must be a PDF, a text file or an image')
}
