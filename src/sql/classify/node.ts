/** A node of the parser's tree: plain JSON. */
export type Node = Record<string, unknown>

/** `{ SelectStmt: {…} }`. Where the C field has a fixed type, the parser leaves this wrapper out. */
export interface TypedNode {
  type: string
  body: Node
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The type and content of a wrapped node; undefined for anything else. */
export function unwrap(value: unknown): TypedNode | undefined {
  if (!isNode(value)) return undefined
  let type: string | undefined
  for (const key in value) {
    if (type !== undefined) return undefined
    type = key
  }
  if (type === undefined) return undefined
  const first = type.charCodeAt(0)
  const body = value[type]
  // Types begin with a capital letter, fields do not.
  return first >= 65 && first <= 90 && isNode(body) ? { type, body } : undefined
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The strings of a qualified name: `[{ String: { sval } }, …]`. */
export function namesOf(value: unknown): string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== undefined)
}

/** The text of a `String` node, or of a constant. */
export function textOf(value: unknown): string | undefined {
  const node = unwrap(value)
  const content = node?.type === 'A_Const' ? node.body['sval'] : node?.body
  if ((node?.type !== 'String' && node?.type !== 'A_Const') || !isNode(content)) return undefined
  // The parser leaves out an empty text.
  const text = content['sval']
  return typeof text === 'string' ? text : node.type === 'String' ? '' : undefined
}

/** The definition elements of a list, in their order. */
export function definitionsOf(value: unknown): { name: string; arg: unknown; location: unknown }[] {
  return listOf(value).flatMap((item) => {
    const node = unwrap(item)
    if (node?.type !== 'DefElem') return []
    return [{ name: String(node.body['defname']), arg: node.body['arg'], location: node.body['location'] }]
  })
}
