import { invalidField } from '#kernel/errors'

export type MediaSource =
  | { kind: 'data'; mediaType: string; data: string }
  | { kind: 'url'; mediaType: string | undefined; url: string }

/** Reads `data:` and `https:` addresses. The media type of the latter is a guess from the path. */
export function readMedia(address: string, path: string): MediaSource {
  if (/^data:/i.test(address)) return readDataUrl(address, path)
  if (!/^https:\/\//i.test(address) || !URL.canParse(address)) {
    throw invalidField(path, 'must be an https or a data URL')
  }
  return { kind: 'url', url: address, mediaType: mediaTypeOf(new URL(address).pathname) }
}

/** Base64 without a `data:` head, as audio and some clients' files come. */
export function readBase64(text: string, mediaType: string, path: string): MediaSource {
  return { kind: 'data', mediaType, data: cleanBase64(text, path) }
}

function readDataUrl(address: string, path: string): MediaSource {
  const comma = address.indexOf(',')
  if (comma < 0) throw invalidField(path, 'is a data URL without data')
  const [type = '', ...parameters] = address
    .slice('data:'.length, comma)
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const mediaType = type === 'image/jpg' ? 'image/jpeg' : type || 'text/plain'
  const rest = address.slice(comma + 1)
  if (parameters.includes('base64')) return { kind: 'data', mediaType, data: cleanBase64(rest, path) }
  try {
    return { kind: 'data', mediaType, data: Buffer.from(decodeURIComponent(rest)).toString('base64') }
  } catch {
    throw invalidField(path, 'is a data URL that cannot be decoded')
  }
}

function cleanBase64(text: string, path: string): string {
  // Most data is clean already; a copy of many megabytes is made only where it is not.
  const compact = /[\s_-]/.test(text)
    ? text.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
    : text
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw invalidField(path, 'does not hold valid base64 data')
  return compact
}

const mediaTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

export function mediaTypeOf(fileName: string): string | undefined {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined
}
