import type { ApiDocument } from '#kernel/http'
import { typeText, type JsonSchema } from './type-text.ts'

type Operation = ApiDocument['paths'][string][string]

const methods = ['get', 'post', 'put', 'patch', 'delete']
/** What the dashboard calls; the gateway's APIs have clients of their own. */
const isCalled = (path: string): boolean => /^\/(api\/|providers\b|livez$|openapi\.json$)/.test(path)

/** The module with the types of every route that the dashboard may call: a line for each, and for each schema. */
export function routesText({ paths, components }: ApiDocument): string {
  const groups = methods.map((method) => {
    const lines = Object.entries(paths)
      .filter(([path, operations]) => isCalled(path) && method in operations)
      .map(([path, operations]) => `    '${path}': ${routeText(operations[method] as Operation)}`)
    return `  ${method.toUpperCase()}: {\n${lines.toSorted().join('\n')}\n  }`
  })
  const routes = `export interface Routes {\n${groups.join('\n')}\n}\n`
  const schemas = namesIn(routes, components.schemas as Record<string, JsonSchema>)
    .map((name) => `type ${name} = ${typeText(components.schemas[name] as JsonSchema, 'received')}`)
    .join('\n')
  return `/** Every route that the dashboard may call. Written by "npm run web:routes"; do not edit. */\n${routes}\n${schemas}\n`
}

function routeText({ parameters, requestBody, responses }: Operation): string {
  // Every route takes the group, which the client adds.
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'group_id')
  const body = requestBody?.content['application/json']?.schema as JsonSchema | undefined
  const received = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => ('content' in response ? response.content?.['application/json'] : undefined))
    .map((media) => (media ? typeText(media.schema as JsonSchema, 'received') : 'undefined'))
  const parts = [
    ...(query.length > 0 ? [`query: { ${query.map(parameterText).join('; ')} }`] : []),
    ...(body ? [`body: ${typeText(body, 'sent')}`] : []),
    `response: ${[...new Set(received)].join(' | ')}`,
  ]
  return `{ ${parts.join('; ')} }`
}

/** In an address a number is the same as its digits, and a switch the same as its word. */
function parameterText({ name, required, schema }: Operation['parameters'][number]): string {
  const text = typeText(schema as JsonSchema, 'sent')
  const isPlain = text === 'string' || text === 'number'
  const words = /^"(true|false)"( \| "(true|false)")?$/.test(text) ? `${text.replaceAll('"', '')} | ` : ''
  const sent = isPlain ? 'string | number' : `${words}${text}`
  return required ? `${name}: ${sent}` : `${name}?: ${sent} | undefined`
}

/** The named schemas that a text needs, also those that they need themselves. */
function namesIn(text: string, schemas: Readonly<Record<string, JsonSchema>>): string[] {
  const found = new Set<string>()
  const look = (given: string): void => {
    for (const [name] of given.matchAll(/(?<!["'\w])[A-Z]\w+/g)) {
      const schema = schemas[name]
      if (schema === undefined || found.has(name)) continue
      found.add(name)
      look(typeText(schema, 'received'))
    }
  }
  look(text)
  return [...found].toSorted()
}
