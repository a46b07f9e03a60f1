import { invalidField } from '#kernel/errors'
import type { MediaPart, Part } from '../../chat/parts.ts'
import type { GeminiCapabilities } from './models.ts'

export type GeminiPart = Record<string, unknown>

export function toPart(part: Part, can: GeminiCapabilities, dropped: Set<string>): GeminiPart {
  if (part.cacheControl) dropped.add('cache_control')
  if (part.type === 'text') return { text: part.text }
  return { ...mediaPart(part), ...resolution(part, can, dropped) }
}

/** Google requires a type even where the URL does not show it. */
const likelyTypes = {
  image: 'image/jpeg',
  video: 'video/mp4',
  file: 'application/pdf',
  audio: 'audio/mp3',
} as const

function mediaPart({ source, type, path }: MediaPart): GeminiPart {
  if (source.kind === 'url') {
    return { fileData: { fileUri: source.url, mimeType: source.mediaType ?? likelyTypes[type] } }
  }
  const { mediaType, data } = source
  if (type !== 'file' && !mediaType.startsWith(`${type}/`)) {
    const field = `${path}.${type === 'audio' ? 'input_audio' : `${type}_url`}`
    throw invalidField(field, `does not hold ${type === 'image' ? 'an image' : type}`)
  }
  // Text of any kind is read as plain text.
  const isText = type === 'file' && (mediaType.startsWith('text/') || mediaType === 'application/json')
  return { inlineData: { mimeType: isText ? 'text/plain' : mediaType, data } }
}

function resolution({ detail }: MediaPart, can: GeminiCapabilities, dropped: Set<string>): GeminiPart {
  if (detail !== 'low' && detail !== 'high') return {}
  if (can.generation < 3) {
    dropped.add('image_url.detail')
    return {}
  }
  return { mediaResolution: { level: `MEDIA_RESOLUTION_${detail.toUpperCase()}` } }
}
