import type { ApiDocument } from '#kernel/http'

type Operation = ApiDocument['paths'][string][string]

/** What a document leaves out that every route has to say. */
export function gapsIn({ paths, tags }: ApiDocument): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const gaps = operations.flatMap(({ method, path, operation }) =>
    [...gapsOf(method, path, operation)].map((gap) => `${method.toUpperCase()} ${path}: ${gap}`),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  const twice = ids.filter((id, index) => id !== undefined && ids.indexOf(id) !== index)
  const bare = tags.filter(({ description }) => description === undefined)
  return [
    ...gaps,
    ...twice.map((id) => `operationId ${id} is used twice`),
    ...bare.map(({ name }) => `the tag ${name} has no description`),
  ]
}

function* gapsOf(method: string, path: string, operation: Operation): Generator<string> {
  if (!/^[a-z][a-zA-Z]+$/.test(operation.operationId ?? '')) yield 'no operationId'
  if (!/^[A-Z][^\n]{2,60}[^.]$/.test(operation.summary ?? '')) yield 'no summary'
  if (operation.tags.length !== 1) yield 'not in one tag'
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '')
  const named = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
  if (inPath.toSorted().join() !== named.toSorted().join()) yield 'path parameters without a schema'
  for (const { name, description, required, example } of operation.parameters) {
    if (!description) yield `the parameter ${name} has no description`
    if (required && example === undefined) yield `the parameter ${name} has no example`
  }
  const isWrite = ['post', 'put', 'patch'].includes(method)
  if (isWrite && !operation.requestBody && !operation.description?.includes('Takes no request body.'))
    yield 'no schema of the body'
  yield* gapsOfBody(operation)
  yield* gapsOfResponses(operation)
}

function* gapsOfBody({ requestBody }: Operation): Generator<string> {
  for (const [type, media] of Object.entries(requestBody?.content ?? {}))
    if (media.example === undefined && media.examples === undefined) yield `no example of the body (${type})`
}

function* gapsOfResponses({ responses }: Operation): Generator<string> {
  const statuses = Object.keys(responses)
  if (!statuses.some((status) => /^[23]/.test(status))) yield 'no successful response'
  if (!statuses.some((status) => /^[45]/.test(status))) yield 'no error response'
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue
    const { description, content = {} } = response
    if (!description) yield `the response ${status} has no description`
    for (const [type, media] of Object.entries(content))
      if (media.example === undefined && media.examples === undefined)
        yield `no example of the response ${status} (${type})`
  }
}
