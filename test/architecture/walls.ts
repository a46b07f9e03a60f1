import { importsOf, show, type Edge } from './imports.ts'
import { isTest, type Sources } from './source.ts'

/** What a part may import besides itself and the kernel. Most parts need no line here. */
const mayAlso: Record<string, readonly string[]> = {
  gateway: ['vault'],
  usage: ['gateway'],
  limits: ['gateway'],
  search: ['embeddings'],
  embeddings: ['gateway'],
  initiatives: ['records'],
  standups: ['gateway', 'initiatives', 'records', 'tools'],
  transcripts: ['gateway'],
  sql: ['access', 'vault'],
  notifications: ['vault'],
  webhooks: ['records', 'vault'],
  agents: ['access', 'embeddings', 'records', 'sql'],
  tools: ['agents', 'search', 'sql', 'usage'],
  mcp: ['tools'],
  cli: ['access', 'agents', 'vault', 'usage', 'gateway', 'limits', 'sql', 'main'],
}

/** Within the kernel: lower layers know nothing of those above. */
export const kernelMay: Record<string, readonly string[]> = {
  'binary-array': [],
  'name-pattern': [],
  network: [],
  'public-address': ['network'],
  decimal: [],
  errors: [],
  mask: [],
  log: ['mask'],
  config: ['errors', 'log'],
  datadir: ['errors', 'log'],
  auth: ['errors'],
  attention: ['auth'],
  events: ['log'],
  cache: [],
  metrics: ['cache'],
  'http-client': [],
  search: [],
  thread: [],
  'time-zone': [],
  uuid: [],
  version: [],
  words: [],
  db: ['config', 'datadir', 'errors', 'log', 'mask'],
  jobs: ['db', 'errors', 'events', 'log', 'replicas', 'version'],
  replicas: ['datadir', 'db', 'log'],
  tracing: ['config', 'errors', 'http-client', 'log', 'metrics'],
  inspect: ['db'],
  http: ['auth', 'config', 'db', 'errors', 'log', 'metrics', 'tracing', 'uuid'],
  'event-log': ['db', 'errors', 'http'],
  'model-reply': ['errors'],
  'agent-loop': ['model-reply'],
  'json-object': [],
  command: ['config', 'db', 'events', 'log'],
  paging: ['errors'],
  rows: [],
  part: ['attention', 'config', 'http', 'jobs', 'log', 'search'],
}

/** The layers of the dashboard and what each may import besides itself; its root files put them together. */
const webMay: Record<string, readonly string[]> = {
  ui: ['api'],
  api: [],
  shell: ['api', 'ui'],
  features: ['api', 'ui', 'shell'],
}

/**
 * Every import that passes a wall: a feature of the server reached otherwise than by its door or against the
 * table, the server reached from the dashboard, one page of the dashboard reached from another, or test code
 * reached from the product.
 */
export function wallViolations(sources: Sources): string[] {
  return importsOf(sources).flatMap((edge) => {
    const reason = reasonAgainst(edge)
    return reason === undefined ? [] : [`${show(edge)} (${reason})`]
  })
}

function reasonAgainst(edge: Edge): string | undefined {
  if (isTest(edge.from)) return againstTest(edge)
  if (isTest(edge.to)) return 'product code must not import test code'
  if (edge.from.startsWith('src/')) return againstServer(edge)
  if (edge.from.startsWith('web/')) return againstDashboard(edge)
  return undefined
}

/** A test may use any feature and the dashboard's files, but the inside of a feature only from within it. */
function againstTest(edge: Edge): string | undefined {
  const isApart = featureOf(edge.from) !== featureOf(edge.to)
  if (edge.from.startsWith('src/') && edge.to.startsWith('src/') && isApart && !isTest(edge.to))
    return isDoor(edge.specifier) ? undefined : 'go through the door: #feature'
  return undefined
}

function againstServer(edge: Edge): string | undefined {
  const [from, to] = [featureOf(edge.from), featureOf(edge.to)]
  if (from === undefined || to === undefined) return 'the server imports only its own files'
  if (from !== to) {
    if (!isDoor(edge.specifier)) return 'go through the door: #feature'
    // Files directly in src put the parts together and may open every door.
    return from === 'main' || mayImport(from, to) ? undefined : `${from} may not import ${to}`
  }
  return from === 'kernel' ? againstKernel(edge) : undefined
}

/** The pattern in package.json would also lead into a part's folders. */
function isDoor(specifier: string): boolean {
  return /^#(kernel\/[a-z-]+|[a-z-]+(\/contract)?)$/.test(specifier)
}

function mayImport(from: string, to: string): boolean {
  if (from === 'kernel') return false
  return to === 'kernel' || (mayAlso[from]?.includes(to) ?? false)
}

function againstKernel(edge: Edge): string | undefined {
  const [from = '', to = ''] = [edge.from.split('/')[2], edge.to.split('/')[2]]
  if (from === to) return undefined
  if (edge.specifier.startsWith('.')) return 'go through the door: #kernel/part'
  return kernelMay[from]?.includes(to) ? undefined : `kernel/${from} may not import kernel/${to}`
}

function againstDashboard(edge: Edge): string | undefined {
  if (edge.to.startsWith('src/'))
    return /^#(kernel\/decimal|[a-z-]+\/contract)$/.test(edge.specifier)
      ? undefined
      : 'the dashboard uses only #feature/contract and #kernel/decimal'
  if (!edge.to.startsWith('web/')) return 'the dashboard imports only its own files'
  const [from, to] = [edge.from.split('/'), edge.to.split('/')]
  // Files directly in web put the layers together.
  if (from.length === 2) return undefined
  const [layer = '', other = ''] = [from[1], to[1]]
  if (layer !== other) return webMay[layer]?.includes(other) ? undefined : `${layer} may not import ${other}`
  if (layer !== 'features' || from[2] === to[2]) return undefined
  return edge.to === `web/features/${to[2]}/index.ts`
    ? undefined
    : 'one page reaches another by its door, index.ts; share through web/ui or web/api'
}

/** The folder under src/ a file lives in; `main` for the files directly in src. */
function featureOf(file: string): string | undefined {
  const [area, folder, ...rest] = file.split('/')
  if (area !== 'src') return undefined
  return rest.length === 0 ? 'main' : folder
}
