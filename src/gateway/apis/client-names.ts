import { FieldFault } from '#kernel/errors'
import type { ChatExchange } from '../provider.ts'

/** How the client named what a translated chat request calls `messages`, `tools` and so on. */
export interface ClientNames {
  /** For each chat message, the place in the client's request it was made from. */
  readonly messages: readonly string[]
  /** The same for each tool; without them tools keep their places. */
  readonly tools?: readonly string[]
  /** Paths of chat completions to paths of this API; the longest that fits is replaced. */
  readonly fields: ReadonlyMap<string, string>
  /** The name of a tool's schema. */
  readonly toolSchema: string
}

/** Runs the provider on a translated request; where it refuses a field, the client reads the name it sent. */
export function withClientNames<Result>(names: ClientNames, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof FieldFault ? error.renamed((path) => clientPath(path, names)) : error
  }
}

/** The fields that a translated request lost, by the names that the client sent. */
export function droppedFor(
  names: ClientNames,
  byApi: Iterable<string>,
  { dropped, adapted = [] }: ChatExchange,
): Pick<ChatExchange, 'dropped' | 'adapted'> {
  const rename = (path: string): string => clientPath(path, names)
  return {
    dropped: [...new Set([...byApi, ...dropped.map(rename)])],
    adapted: adapted.map((fault) => fault.renamed(rename)),
  }
}

function clientPath(path: string, names: ClientNames): string {
  const [head, index, ...rest] = path.split('.')
  if (index !== undefined && /^\d+$/.test(index)) {
    // Only the whole message is named: its parts have other places in the client's request.
    if (head === 'messages') return names.messages[Number(index)] ?? path
    if (head === 'tools')
      return [names.tools?.[Number(index)] ?? `tools.${index}`, ...toolPath(rest, names)].join('.')
  }
  return otherPath(path, names.fields)
}

/** Chat completions wrap a tool's definition in `function`. */
function toolPath(segments: readonly string[], { toolSchema }: ClientNames): string[] {
  const [first, ...rest] = segments[0] === 'function' ? segments.slice(1) : segments
  if (first === undefined) return []
  return [first === 'parameters' ? toolSchema : first, ...rest]
}

function otherPath(path: string, fields: ReadonlyMap<string, string>): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = fields.get(path.slice(0, end))
    if (name !== undefined) return name + path.slice(end)
  }
  return path
}
