import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { Board, cellName, document, providers } from './board.ts'
import { chatForm } from './chat-form.ts'
import { exceptionFor, type Cell, type Feature } from './feature.ts'
import type { Form } from './form.ts'
import { messagesForm } from './messages-form.ts'
import { responsesForm } from './responses-form.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/conformance.md')

const server = await startGateway({ REQUEST_TIMEOUT_MS: '2000' })
const endpoint = { baseURL: `${server.url}/v1`, apiKey: server.key }
const forms: readonly Form[] = [chatForm, responsesForm, messagesForm]
const boards = forms.map((form) => ({ form, board: examine(form) }))

function examine(form: Form): Board {
  const clients = form.clients(endpoint)
  const board = new Board(
    form.features,
    clients.map((client) => client.name),
  )
  for (const feature of form.features) {
    describe(`${form.title}: ${feature.name}`, { concurrency: feature.isConcurrent ?? false }, () => {
      for (const provider of providers) {
        const model = feature.models?.[provider] ?? exampleModels[provider]
        for (const client of clients) {
          test(cellName(feature.name, provider, client.name), { timeout: 20_000 }, () =>
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

test('docs/conformance.md tells what was just run', () => {
  for (const { form, board } of boards)
    console.log(`\n${form.title}\n\n${board.table()}\n\n${board.counts()}\n`)
  const found = document(boards.map(({ form, board }) => board.section(form, versionsOf(form))))
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, found)
  assert.equal(readFileSync(page, 'utf8'), found, 'run UPDATE_DOCS=1 npm run conformance')
})

function versionsOf({ packages }: Form): Record<string, string> {
  return Object.fromEntries(
    Object.entries(packages).map(([name, needed]) => [name, needed.map(versioned).join(' with ')]),
  )
}

function versioned(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return `\`${name}\` ${(JSON.parse(manifest) as { version: string }).version}`
}
