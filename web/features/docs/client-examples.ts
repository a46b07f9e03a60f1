import { snippetsFor } from '../playground/index.ts'

/** The routes that clients of providers call. */
const routes = [
  { path: '/v1/chat/completions', api: 'chat' },
  { path: '/v1/responses', api: 'responses' },
  { path: '/v1/messages', api: 'messages' },
] as const

interface Example {
  model: string
}

interface Operation {
  requestBody?: {
    content: Record<string, { example?: Example; examples?: Record<string, { value: Example }> }>
  }
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
}

/** The document with the call of each client library on these routes; the reference makes those of all others. */
export function withClientExamples(document: ApiDocument, baseUrl: string): ApiDocument {
  const paths = { ...document.paths }
  for (const { path, api } of routes) {
    const post = paths[path]?.['post']
    const media = post?.requestBody?.content['application/json']
    const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
    if (example === undefined) continue
    const body = { model: example.model, messages: [{ role: 'user' as const, content: 'Say hello.' }] }
    const { snippets } = snippetsFor({ baseUrl, body, api, stream: false })
    const samples = snippets.map(({ id, label, source }) => ({ lang: id, label, source }))
    paths[path] = { ...paths[path], post: { ...post, 'x-codeSamples': samples } }
  }
  return { ...document, paths }
}
