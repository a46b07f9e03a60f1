import { invalid } from '#kernel/errors'

const bodyDecoder = new TextDecoder('utf-8', { fatal: true })
/** Inside a text U+FEFF is a character; at the beginning of a body it is a mark and left out. */
const pieceDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const decodeText = (bytes: Uint8Array): string => decodeBy(bodyDecoder, bytes)
export const decodePiece = (bytes: Uint8Array): string => decodeBy(pieceDecoder, bytes)

/** A body must be valid UTF-8: replacement characters would silently change what was sent. */
function decodeBy(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

export function parseText(text: string): unknown {
  if (text === '') throw invalid('The body is empty. Send a JSON value.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}
