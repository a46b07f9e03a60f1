import { invalid } from '#kernel/errors'

export interface PartHead {
  name: string
  /** Undefined for a plain field. */
  filename: string | undefined
}

const parameter = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y
const disposition = /^content-disposition[ \t]*:[ \t]*form-data[ \t]*((?:[^ \t\r\n][^\r\n]*)?)$/i

/**
 * Reads the headers of one part. Strict, because the provider reads them too: what the two could understand
 * differently is refused.
 */
export function readPartHead(head: string): PartHead {
  const lines = head.split('\r\n').filter((line) => /^content-disposition[ \t]*:/i.test(line))
  const [line = ''] = lines
  const parameters = lines.length === 1 ? readParameters(disposition.exec(line)?.[1]) : undefined
  const name = parameters?.get('name')
  if (!parameters || name === undefined) {
    throw invalid('Every part of the form needs one header: Content-Disposition: form-data; name="…".')
  }
  return { name, filename: parameters.get('filename') ?? parameters.get('filename*') }
}

/** Undefined when something in it is not a parameter, or is given twice. */
function readParameters(text: string | undefined): Map<string, string> | undefined {
  if (text === undefined) return undefined
  const parameters = new Map<string, string>()
  parameter.lastIndex = 0
  while (parameter.lastIndex < text.length) {
    const found = parameter.exec(text)
    const key = found?.[1]?.toLowerCase()
    if (!found || key === undefined || parameters.has(key)) return undefined
    parameters.set(key, found[2]?.replaceAll(/\\(["\\])/g, '$1') ?? found[3] ?? '')
  }
  return parameters
}
