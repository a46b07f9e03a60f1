import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../wire/json.ts'
import {
  optionalObject,
  optionalString,
  requireObject,
  requireString,
  wrongType,
} from '../wire/request-json.ts'
import { mediaTypeOf, readBase64, readMedia } from './media.ts'
import type { MediaSource } from './media.ts'

interface Placed {
  /** Where the client put it, for refusals: `messages.3.content.0`. */
  path: string
  cacheControl: JsonObject | undefined
}

export interface TextPart extends Placed {
  type: 'text'
  text: string
}

export interface MediaPart extends Placed {
  type: 'image' | 'file' | 'audio' | 'video'
  source: MediaSource
  /** Of an image: how closely it is to be looked at. */
  detail: string | undefined
  /** Of a file. */
  name: string | undefined
}

export type Part = TextPart | MediaPart

/** Content that may hold media: a string, or parts. Text without a visible character is left out. */
export function readContent(content: unknown, path: string): Part[] {
  if (typeof content === 'string') return textParts(content, path)
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array of parts', content)
  return content.flatMap((part, index) => readPart(part, `${path}.${index}`))
}

/** Content that must be text: of system, assistant and most tool messages. */
export function readTextContent(content: unknown, path: string): TextPart[] {
  return readContent(content, path).map((part) => {
    if (part.type !== 'text') throw invalidField(part.path, 'must be a text part')
    return part
  })
}

export function readCacheControl(value: unknown, path: string): JsonObject | undefined {
  return optionalObject(value, `${path}.cache_control`)
}

function textParts(text: string, path: string, cacheControl?: JsonObject): TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, path, cacheControl }]
}

function readPart(value: unknown, path: string): Part[] {
  const part = requireObject(value, path)
  const cacheControl = readCacheControl(part['cache_control'], path)
  const placed = { path, cacheControl, detail: undefined, name: undefined }
  switch (part['type']) {
    case 'text':
      return textParts(requireString(part['text'], `${path}.text`), path, cacheControl)
    case 'refusal':
      return textParts(requireString(part['refusal'], `${path}.refusal`), path, cacheControl)
    case 'image_url': {
      const image = addressOf(part['image_url'], `${path}.image_url`)
      return [{ ...placed, type: 'image', source: image.source, detail: image.detail }]
    }
    case 'video_url':
      return [{ ...placed, type: 'video', source: addressOf(part['video_url'], `${path}.video_url`).source }]
    case 'input_audio':
      return [{ ...placed, type: 'audio', source: readAudio(part['input_audio'], `${path}.input_audio`) }]
    case 'file':
      return [{ ...placed, ...readFile(part['file'], `${path}.file`) }]
    default:
      throw invalidField(`${path}.type`, 'is not a known type of content part')
  }
}

/** `{url, detail}`, or the bare address that some clients send. */
function addressOf(value: unknown, path: string): { source: MediaSource; detail: string | undefined } {
  if (typeof value === 'string') return { source: readMedia(value, path), detail: undefined }
  const image = requireObject(value, path)
  const source = readMedia(requireString(image['url'], `${path}.url`), path)
  return { source, detail: optionalString(image['detail'], `${path}.detail`) }
}

function readAudio(value: unknown, path: string): MediaSource {
  const audio = requireObject(value, path)
  const data = requireString(audio['data'], `${path}.data`)
  const format = requireString(audio['format'], `${path}.format`)
  if (!/^[a-z0-9]{2,8}$/.test(format)) {
    throw invalidField(`${path}.format`, 'must name an audio format such as wav or mp3')
  }
  if (data.startsWith('data:')) return readMedia(data, `${path}.data`)
  return readBase64(data, `audio/${format}`, `${path}.data`)
}

function readFile(value: unknown, path: string): Pick<MediaPart, 'type' | 'source' | 'name'> {
  const file = requireObject(value, path)
  const name = optionalString(file['filename'], `${path}.filename`)
  if (isAbsent(file['file_data']) && !isAbsent(file['file_id'])) {
    throw invalidField(
      `${path}.file_id`,
      'names a file at another provider; send the file itself as file_data',
    )
  }
  const data = requireString(file['file_data'], `${path}.file_data`)
  const isAddress = /^(data:|https?:)/i.test(data)
  const type = mediaTypeOf(name ?? '') ?? 'application/pdf'
  const source = isAddress
    ? readMedia(data, `${path}.file_data`)
    : readBase64(data, type, `${path}.file_data`)
  return { type: 'file', source, name }
}
