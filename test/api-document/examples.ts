import type { ApiDocument } from '#kernel/http'
import { pointerTo } from './validator.ts'

interface Media {
  schema?: unknown
  example?: unknown
  examples?: Readonly<Record<string, { value: unknown }>> | undefined
}

/** A body or a response; a reference to one has no content here. */
interface Holder {
  $ref?: string
  content?: Readonly<Record<string, Media>>
}

export interface Example {
  /** Where the schema of the example is in the document. */
  schema: string
  value: unknown
}

/** Every example of a document: of parameters, bodies and responses. */
export function examplesIn({ paths, components }: ApiDocument): Example[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: ['paths', path, method], operation })),
  )
  return [
    ...operations.flatMap(({ at, operation }) => [
      ...operation.parameters.flatMap((parameter, index) =>
        ofMedia([...at, 'parameters', String(index)], parameter),
      ),
      ...ofContent([...at, 'requestBody'], operation.requestBody),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        ofContent([...at, 'responses', status], response),
      ),
    ]),
    ...Object.entries(components.responses).flatMap(([name, response]) =>
      ofContent(['components', 'responses', name], response),
    ),
  ]
}

function ofContent(at: string[], holder: Holder | undefined): Example[] {
  return Object.entries(holder?.content ?? {}).flatMap(([type, media]) =>
    ofMedia([...at, 'content', type], media),
  )
}

function ofMedia(at: string[], { example, examples = {} }: Media): Example[] {
  const values = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ]
  return values.map((value) => ({ schema: pointerTo(...at, 'schema'), value }))
}
