/** As much of an OpenAPI 3 document as the reference page reads. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  nullable?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  schema?: Schema
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface ResponseEntry {
  description?: string
  content?: Record<string, Content>
}

interface OperationEntry {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, Content> }
  responses?: Record<string, ResponseEntry>
}

export interface OpenApi {
  info?: { title?: string; version?: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths?: Record<string, Record<string, OperationEntry>>
  components?: { schemas?: Record<string, Schema> }
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  tag: string
  /** Anyone may call it, without a key. */
  isPublic: boolean
  parameters: Parameter[]
  body: { mediaType: string; schema: Schema } | null
  responses: { status: string; description: string; schema: Schema | null }[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, entries]) =>
    methods.flatMap((method) => {
      const entry = entries[method]
      return entry ? [operationFrom(method, path, entry)] : []
    }),
  )
}

function operationFrom(method: string, path: string, entry: OperationEntry): Operation {
  const [mediaType, content] = Object.entries(entry.requestBody?.content ?? {})[0] ?? []
  return {
    id: entry.operationId ?? `${method}${path.replaceAll(/[^a-zA-Z0-9]+/g, '-')}`,
    method: method.toUpperCase(),
    path,
    summary: entry.summary ?? '',
    description: entry.description ?? '',
    tag: entry.tags?.[0] ?? 'Other',
    isPublic: entry.security?.length === 0,
    parameters: entry.parameters ?? [],
    body: mediaType !== undefined && content?.schema ? { mediaType, schema: content.schema } : null,
    responses: Object.entries(entry.responses ?? {}).map(([status, response]) => ({
      status,
      description: statusText(status, response.description),
      schema: Object.values(response.content ?? {})[0]?.schema ?? null,
    })),
  }
}

/** Frameworks fill a missing description with a phrase that says nothing. */
function statusText(status: string, description: string | undefined): string {
  if (description !== undefined && description !== 'Default Response') return description
  if (status === '201') return 'Made'
  if (status === '204') return 'Done; the answer is empty'
  return status.startsWith('2') ? 'Done' : 'Refused'
}

export interface TagGroup {
  name: string
  description: string
  operations: Operation[]
}

/** Groups by tag, in the document's order of tags, and keeps the operations in which every word is found. */
export function groupByTag(document: OpenApi, words: string): TagGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operationsOf(document).filter((operation) => {
    const { method, path, summary, description, tag } = operation
    const text = [method, path, summary, description, tag].join(' ').toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const described = document.tags ?? []
  const names = new Set([...described.map(({ name }) => name), ...found.map(({ tag }) => tag)])
  return [...names]
    .map((name) => ({
      name,
      description: described.find((tag) => tag.name === name)?.description ?? '',
      operations: found.filter(({ tag }) => tag === name),
    }))
    .filter(({ operations }) => operations.length > 0)
}
