import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { Board, cellName, document, providers } from './board.ts'
import { chatApi } from './chat-api.ts'
import { exceptionFor, type Cell, type Feature } from './feature.ts'
import type { ClientApi } from './client-api.ts'
import { messagesApi } from './messages-api.ts'
import { responsesApi } from './responses-api.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/conformance.md')

// Long enough for a busy machine: only those that never respond may be cut.
const server = await startGateway({ REQUEST_TIMEOUT_MS: '5000' })
const endpoint = { baseURL: `${server.url}/v1`, apiKey: server.key }
const apis: readonly ClientApi[] = [chatApi, responsesApi, messagesApi]
const boards = apis.map((api) => ({ api, board: examine(api) }))

function examine(api: ClientApi): Board {
  const clients = api.clients(endpoint)
  const board = new Board(
    api.features,
    clients.map((client) => client.name),
  )
  for (const feature of api.features) {
    describe(`${api.title}: ${feature.name}`, { concurrency: feature.isConcurrent ?? false }, () => {
      for (const provider of providers) {
        const model = feature.models?.[provider] ?? exampleModels[provider]
        for (const client of clients) {
          test(cellName(feature.name, provider, client.name), { timeout: 60_000 }, () =>
            run(board, feature, { client, provider, model, fake: server.fake }),
          )
        }
      }
    })
  }
  return board
}

async function run(board: Board, feature: Feature, cell: Cell): Promise<void> {
  if (!feature.isConcurrent) server.fake.reset()
  const exception = exceptionFor(feature, cell)
  board.note(feature.name, cell.provider, cell.client.name, 'FAIL')
  await (exception ? exception.check(cell, feature) : feature.check(cell))
  board.note(feature.name, cell.provider, cell.client.name, exception?.verdict ?? 'pass')
}

test('docs/conformance.md shows the results of this run', () => {
  for (const { api, board } of boards)
    console.log(`\n${api.title}\n\n${board.table()}\n\n${board.counts()}\n`)
  const found = document(boards.map(({ api, board }) => board.section(api, versionsOf(api))))
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, found)
  assert.equal(readFileSync(page, 'utf8'), found, 'run UPDATE_DOCS=1 npm run conformance')
})

function versionsOf({ packages }: ClientApi): Record<string, string> {
  return Object.fromEntries(
    Object.entries(packages).map(([name, needed]) => [name, needed.map(versioned).join(' with ')]),
  )
}

function versioned(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return `\`${name}\` ${(JSON.parse(manifest) as { version: string }).version}`
}
