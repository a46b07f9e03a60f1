import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { image } from './contents.ts'

/** Resources of the addresses that the conformance suite reads. */
export function registerResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { title: 'Text', mimeType: 'text/plain' },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  )
  const { mimeType, data: blob } = image
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { title: 'Picture', mimeType },
    async ({ href: uri }) => ({ contents: [{ uri, mimeType, blob }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'Data of an ID', mimeType: 'application/json' },
    async ({ href: uri }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` })
      return { contents: [{ uri, mimeType: 'application/json', text }] }
    },
  )
}
