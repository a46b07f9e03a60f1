import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { answers } from './answers.ts'
import { Board, cellName, providers } from './board.ts'
import type { Client } from './client.ts'
import { failures } from './failures.ts'
import { exceptionFor, type Cell, type Feature } from './feature.ts'
import { langchainClient } from './langchain-client.ts'
import { openaiClient } from './openai-client.ts'
import { reasoning } from './reasoning.ts'
import { toolUse } from './tools.ts'
import { vercelClient } from './vercel-client.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/conformance.md')
const packages = {
  openai: ['openai'],
  ai: ['ai', '@ai-sdk/openai-compatible'],
  langchain: ['@langchain/openai', '@langchain/core'],
}

const box = await startGateway({ REQUEST_TIMEOUT_MS: '2000' })
const endpoint = { baseURL: `${box.url}/v1`, apiKey: box.key }
const clients: readonly Client[] = [openaiClient(endpoint), vercelClient(endpoint), langchainClient(endpoint)]
const features: readonly Feature[] = [...answers, ...toolUse, ...reasoning, ...failures]
const board = new Board(
  features,
  clients.map((client) => client.name),
)

async function run(feature: Feature, cell: Cell): Promise<void> {
  if (!feature.isConcurrent) box.fake.reset()
  const exception = exceptionFor(feature, cell)
  board.note(feature.name, cell.provider, cell.client.name, 'FAIL')
  await (exception ? exception.check(cell, feature) : feature.check(cell))
  board.note(feature.name, cell.provider, cell.client.name, exception?.verdict ?? 'pass')
}

for (const feature of features) {
  describe(feature.name, { concurrency: feature.isConcurrent ?? false }, () => {
    for (const provider of providers) {
      const model = feature.models?.[provider] ?? exampleModels[provider]
      for (const client of clients) {
        test(cellName(feature.name, provider, client.name), { timeout: 20_000 }, () =>
          run(feature, { client, provider, model, fake: box.fake }),
        )
      }
    }
  })
}

test('docs/conformance.md tells what was just run', () => {
  console.log(`\n${board.table()}\n\n${board.counts()}\n`)
  const document = board.document(
    Object.fromEntries(
      Object.entries(packages).map(([name, needed]) => [name, needed.map(versioned).join(' with ')]),
    ),
  )
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, document)
  assert.equal(readFileSync(page, 'utf8'), document, 'run UPDATE_DOCS=1 npm run conformance')
})

function versioned(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return `\`${name}\` ${(JSON.parse(manifest) as { version: string }).version}`
}
