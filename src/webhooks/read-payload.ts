const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a verified delivery, of any type; undefined if it is none. GitHub may send it as a field of a form. */
export function readPayload(contentType: string, body: Buffer): unknown {
  try {
    const text = decoder.decode(body)
    const isForm = contentType.startsWith('application/x-www-form-urlencoded')
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text) as unknown
  } catch {
    return undefined
  }
}
