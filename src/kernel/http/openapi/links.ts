import type { ApiDocument } from './frame.ts'
import type { Components, JsonSchema } from './json-schema.ts'
import type { Link, Response } from './operation.ts'

type Paths = ApiDocument['paths']

/**
 * Links from the response of an operation that creates something to the operations that take its ID, so that readers
 * and tools find the way from one to the next. They follow from the routes and the names of their schemas.
 */
export function addLinks(paths: Paths, components: Components): void {
  const homes = homesOf(paths, components)
  for (const [template, methods] of Object.entries(paths))
    for (const { responses } of Object.values(methods))
      for (const [status, response] of Object.entries(responses)) {
        if ((status !== '201' && status !== '202') || '$ref' in response) continue
        const schema = schemaOf(response)
        const created = schema && createdBy(paths, homes, components, template, schema)
        if (created) response.links = linksTo(paths, template, created)
      }
}

/** Something that a response names: the path where it is, and where its ID is in the body. */
interface Created {
  home: string
  pointer: string
}

function createdBy(
  paths: Paths,
  homes: ReadonlyMap<string, string>,
  components: Components,
  template: string,
  schema: JsonSchema,
): Created | undefined {
  const member = memberOf(paths, template)
  const home = homes.get(schema.$ref ?? '') ?? member
  const body = components.resolve(schema)
  // Adding to a thing may return the whole of it, with what was added in an array named like the path.
  if (home !== undefined && template.startsWith(`${home}/`)) {
    const list = template.split('/').at(-1) ?? ''
    const item = components.resolve(body.properties?.[list]?.items ?? {})
    return member !== undefined && item.properties && 'id' in item.properties
      ? { home: member, pointer: `/${list}/0/id` }
      : undefined
  }
  const pointer = home === undefined ? undefined : idIn(body, lastParameter(home))
  return home === undefined || pointer === undefined ? undefined : { home, pointer }
}

/** Where a thing is read and changed: by schema, the path with the fewest parameters that returns it. */
function homesOf(paths: Paths, components: Components): Map<string, string> {
  const homes = new Map<string, string>()
  for (const [template, methods] of Object.entries(paths))
    for (const { responses } of Object.values(methods)) {
      const response = responses['200']
      const schema = response && !('$ref' in response) ? schemaOf(response) : undefined
      const home = /^.*\}/.exec(template)?.[0]
      if (schema?.$ref === undefined || home === undefined) continue
      if (idIn(components.resolve(schema), lastParameter(home)) === undefined) continue
      const known = homes.get(schema.$ref)
      if (known === undefined || parametersOf(home).length < parametersOf(known).length)
        homes.set(schema.$ref, home)
    }
  return homes
}

/** The path of a member of the collection, where there is one. */
function memberOf(paths: Paths, collection: string): string | undefined {
  const member = new RegExp(String.raw`^${collection.replaceAll(/[{}]/g, String.raw`\$&`)}/\{\w+\}(?=/|$)`)
  const found = Object.keys(paths).find((template) => member.test(template))
  return member.exec(found ?? '')?.[0]
}

function linksTo(paths: Paths, from: string, { home, pointer }: Created): Record<string, Link> {
  const links: Record<string, Link> = {}
  const known = parametersOf(from)
  const own = lastParameter(home)
  for (const [template, methods] of Object.entries(paths)) {
    if (template !== home && !template.startsWith(`${home}/`)) continue
    const needed = parametersOf(template)
    // What is below may need the ID of something else, which the response does not have.
    if (!needed.every((name) => name === own || known.includes(name))) continue
    const parameters = needed.map((name) => [
      name,
      name === own ? `$response.body#${pointer}` : `$request.path.${name}`,
    ])
    for (const { operationId } of Object.values(methods))
      if (operationId !== undefined)
        links[operationId] = { operationId, parameters: Object.fromEntries(parameters) }
  }
  return links
}

const schemaOf = (response: Response): JsonSchema | undefined =>
  response.content?.['application/json']?.schema

/** The ID is called as in the path, or `id`. */
function idIn({ properties = {} }: JsonSchema, parameter: string): string | undefined {
  const name = [parameter, 'id'].find((each) => each in properties)
  return name === undefined ? undefined : `/${name}`
}

const parametersOf = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

const lastParameter = (template: string): string => parametersOf(template).at(-1) ?? ''
