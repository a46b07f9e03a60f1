import pg from 'pg'

const { builtins } = pg.types
type Parse = (text: string) => unknown

/** A number where JavaScript keeps it exactly, else PostgreSQL's own text. */
const integer: Parse = (text) => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const float: Parse = (text) => {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

/** A document whose numbers JavaScript would change stays text. */
const json: Parse = (text) => {
  let isExact = true
  const value: unknown = JSON.parse(text, (_key, member: unknown, context?: { source?: string }) => {
    if (typeof member === 'number' && context?.source !== undefined && !isKept(member, context.source))
      isExact = false
    return member
  })
  return isExact ? value : text
}

/** 1.50 and 1e2 mean what they say; 9007199254740993 would become another number. */
function isKept(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  return significant(source) === significant(String(value))
}

function significant(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace('-', '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/(?<!0)0+$/, '')
  return `${trimmed}e${trimmed === '' ? 0 : Number(exponent) - fraction.length + digits.length - trimmed.length}`
}

const scalars = new Map<number, Parse>([
  [builtins.BOOL, (text) => text === 't'],
  [builtins.INT2, integer],
  [builtins.INT4, integer],
  [builtins.INT8, integer],
  [builtins.OID, integer],
  [builtins.FLOAT4, float],
  [builtins.FLOAT8, float],
  [builtins.JSON, json],
  [builtins.JSONB, json],
])

/** Array types and those of their elements, of the types that become JSON; also text and uuid, whose arrays do. */
const arrays = new Map<number, number>([
  [1000, builtins.BOOL],
  [1005, builtins.INT2],
  [1007, builtins.INT4],
  [1016, builtins.INT8],
  [1021, builtins.FLOAT4],
  [1022, builtins.FLOAT8],
  [199, builtins.JSON],
  [3807, builtins.JSONB],
  [1009, builtins.TEXT],
  [1015, builtins.VARCHAR],
  [1014, builtins.BPCHAR],
  [2951, builtins.UUID],
  [1231, builtins.NUMERIC],
])

/**
 * What PostgreSQL sends becomes JSON without loss: numbers, booleans, documents and arrays of them; everything else
 * (numeric, dates, bytea, ranges, types of one's own) stays the text that PostgreSQL writes and reads.
 */
export const exactTypes = {
  getTypeParser(oid: number): Parse {
    const element = arrays.get(oid)
    if (element !== undefined) return arrayOf(scalars.get(element) ?? ((text) => text))
    return scalars.get(oid) ?? ((text) => text)
  },
}

function arrayOf(parse: Parse): Parse {
  return (text) => {
    // Bounds other than 1, as in [0:2]={1,2,3}, have no place in JSON.
    if (text.startsWith('[')) return text
    return parsedArray(text, parse)
  }
}

function parsedArray(text: string, parse: Parse): unknown {
  const stack: unknown[][] = [[]]
  let position = 0
  while (position < text.length) {
    const character = text[position]
    if (character === '{') {
      stack.push([])
      position++
    } else if (character === '}') {
      const whole = stack.pop() ?? []
      stack.at(-1)?.push(whole)
      position++
    } else if (character === ',') position++
    else {
      const item = character === '"' ? quoted(text, position) : bare(text, position)
      stack.at(-1)?.push(item.text === null ? null : parse(item.text))
      position = item.end
    }
  }
  return stack[0]?.[0] ?? []
}

function quoted(text: string, start: number): { text: string; end: number } {
  let value = ''
  let position = start + 1
  while (position < text.length && text[position] !== '"') {
    if (text[position] === '\\') position++
    value += text[position++] ?? ''
  }
  return { text: value, end: position + 1 }
}

function bare(text: string, start: number): { text: string | null; end: number } {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end++
  const value = text.slice(start, end)
  return { text: value === 'NULL' ? null : value, end }
}
