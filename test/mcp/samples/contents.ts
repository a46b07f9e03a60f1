/** One red pixel, as the suite recognises it by its type only. */
export const image = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
} as const

/** A WAV file of one sample. */
export const audio = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=',
} as const

export const text = (content: string) => ({ type: 'text', text: content }) as const

export const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: content } }) as const
