import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { builtInNames } from '#gateway/contract'
import { startFakeProvider } from '#fake-provider'
import { spawnProduct, type RunningProcess } from '#test/process'
import { temporaryFolder } from '#test/product'
import { copyTree } from './mutants/mutant.ts'

const root = join(import.meta.dirname, '..')
const headers = { accept: 'application/json' }
const messages = [{ role: 'user', content: 'Hello' }]
const customKey = 'sk-custom-key-0123456789'
const builtInKey = 'sk-built-in-key-0123456789'

/** What CONTRIBUTING.md says a built-in provider is: a folder, and a line in two lists. */
function addProvider(folder: string, baseUrl: string): void {
  const providers = join(folder, 'src/gateway/providers')
  mkdirSync(join(providers, 'acme'))
  writeFileSync(
    join(providers, 'acme/index.ts'),
    `import { openAiCompatible } from '../compatible.ts'
     export const acme = { ...openAiCompatible({ id: 'acme', name: 'Acme', prefixes: ['acme/'] }), id: 'acme' as const }`,
  )
  const change = (file: string, text: string, added: string): void => {
    const source = readFileSync(file, 'utf8')
    assert.ok(source.includes(text), file)
    writeFileSync(
      file,
      source.replace(text, () => added + text),
    )
  }
  const index = join(providers, 'index.ts')
  change(index, 'import { anthropic }', `import { acme } from './acme/index.ts'\n`)
  change(
    index,
    '{ provider: anthropic,',
    `{ provider: acme, baseUrl: '${baseUrl}', environmentKey: undefined },`,
  )
  change(
    join(folder, 'src/gateway/provider-names.ts'),
    'anthropic: {',
    `acme: { name: 'Acme', keyPrefix: null },`,
  )
}

test('a provider that is built in later takes a key, a model list and a request, and never the keys of a custom one', async () => {
  const [custom, builtIn] = [await startFakeProvider(), await startFakeProvider()]
  const { folder, remove } = copyTree(root)
  after(async () => {
    await Promise.all([custom.close(), builtIn.close()])
    remove()
  })
  addProvider(folder, builtIn.baseUrls.OPENAI_BASE_URL)
  const environment = { DATA_DIR: temporaryFolder(), UPSTREAM_PRIVATE: '1', ROLES: 'gateway' }

  const before = await spawnProduct(environment)
  const key = before.key ?? ''
  const own = { id: 'acme', name: 'Our Acme', prefixes: ['acme/'], base_url: custom.baseUrls.OPENAI_BASE_URL }
  assert.equal(
    (await before.call('/providers', { json: { ...own, allow_private: true }, headers })).status,
    201,
  )
  assert.equal((await before.call('/providers/acme', { json: { api_key: customKey }, headers })).status, 201)
  await before.end()

  const server = await spawnProduct(environment, { root: folder })
  const ask = () => server.call('/v1/chat/completions', { key, json: { model: 'acme/gpt-4.1', messages } })
  assert.deepEqual((await ask()).status, 200)
  assert.equal(custom.requests.at(-1)?.headers.authorization, `Bearer ${customKey}`)
  assert.deepEqual(await providerOf(server), ['Our Acme', true, 1])
  const renamed = await server.call('/providers/acme', { method: 'PATCH', json: { name: 'Ours' }, headers })
  assert.equal(renamed.status, 200, renamed.text)
  assert.equal((await server.call('/providers/acme', { method: 'DELETE', headers })).status, 204)

  assert.deepEqual(await providerOf(server), ['Acme', false, 0])
  const added = await server.call('/providers/acme', { json: { api_key: builtInKey }, headers })
  assert.equal(added.status, 201, added.text)
  const { json: listed } = await server.call('/v1/models', { key })
  assert.ok(listed.data.some(({ id }: { id: string }) => id === 'acme/gpt-4.1'))
  assert.equal((await ask()).status, 200)
  assert.equal(builtIn.requests.at(-1)?.headers.authorization, `Bearer ${builtInKey}`)
  assert.ok(!JSON.stringify(builtIn.requests.map((each) => each.headers)).includes(customKey))
})

async function providerOf({ call }: RunningProcess): Promise<unknown[]> {
  const { json } = await call('/providers', { headers })
  const found = (json.providers as Listed[]).filter(({ id }) => id === 'acme')
  assert.equal(found.length, 1)
  const [{ name, is_custom, accounts }] = found as [Listed]
  return [name, is_custom, accounts.flatMap(({ keys }) => keys).length]
}

interface Listed {
  id: string
  name: string
  is_custom: boolean
  accounts: { keys: unknown[] }[]
}

test('README names every built-in provider and the variable of its key', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  for (const [id, { name }] of Object.entries(builtInNames)) {
    assert.ok(text.includes(name), name)
    assert.ok(text.includes(`${id.toUpperCase()}_API_KEY`), id)
  }
})
