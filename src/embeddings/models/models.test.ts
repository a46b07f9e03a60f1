import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '#test/process'
import { temporaryFolder } from '#test/product'
import { writeTinyModel } from '#test/runtime'
import { checkModel } from './index.ts'
import type { PublishedModel } from './catalog.ts'
import { pullModel, type PullProgress } from './pull.ts'

const content: Record<string, Buffer> = {
  'tokenizer.json': Buffer.from('{}'),
  'onnx/big.onnx': randomBytes(300_000),
}
const model: PublishedModel = {
  name: 'tiny',
  licence: 'MIT',
  location: 'someone/tiny/resolve/abc',
  files: Object.entries(content).map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })),
}

/** A file server with ranges, that redirects as Hugging Face does and can break off or lie. */
const server = createServer((request, response) => serve(request, response))
const requests: { path: string; range: string | undefined }[] = []
let breakAfter = Infinity
let change: (bytes: Buffer) => Buffer = (bytes) => bytes
let knowsRanges = true

function serve(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').replace(/^\/(someone\/tiny\/resolve\/abc|cdn)\//, '')
  if (request.url?.startsWith('/someone')) {
    response.writeHead(302, { location: `/cdn/${path}` }).end()
    return
  }
  const { range } = request.headers
  requests.push({ path, range })
  const whole = content[path]
  if (!whole) return void response.writeHead(404).end()
  const from = knowsRanges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
  const rest = change(whole).subarray(from)
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length })
  response.write(rest.subarray(0, breakAfter), () => {
    if (rest.length <= breakAfter) response.end()
    // What is still on its way when a connection breaks is lost; these bytes are to arrive.
    else setTimeout(() => response.destroy(), 100)
  })
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => server.close())

async function pull(directory: string): Promise<{ folder: string; progress: PullProgress[] }> {
  const progress: PullProgress[] = []
  requests.length = 0
  const folder = await pullModel({ model, directory, source, onProgress: (report) => progress.push(report) })
  return { folder, progress }
}

test('a model is fetched through redirects, with progress reports, and not fetched twice', async () => {
  const directory = temporaryFolder()
  const { folder, progress } = await pull(directory)
  assert.equal(folder, join(directory, 'tiny'))
  assert.deepEqual(readFileSync(join(folder, 'onnx/big.onnx')), content['onnx/big.onnx'])
  assert.deepEqual(progress.at(-1), { file: 'onnx/big.onnx', done: 300_002, total: 300_002 })
  assert.ok(progress.every(({ done }, index) => done >= (progress[index - 1]?.done ?? 0)))
  await pull(directory)
  assert.deepEqual(requests, [])
})

test('an interrupted download resumes, and the folder gets its name only when it is complete', async () => {
  const directory = temporaryFolder()
  breakAfter = 40_000
  await assert.rejects(pull(directory), /bytes are kept: run the command again to continue/)
  const part = join(directory, 'tiny.part/onnx/big.onnx.part')
  const kept = statSync(part).size
  assert.ok(kept >= 40_000 && kept < 300_000, `${kept} bytes`)
  assert.ok(!existsSync(join(directory, 'tiny')))
  breakAfter = Infinity
  const { folder } = await pull(directory)
  assert.deepEqual(requests, [{ path: 'onnx/big.onnx', range: `bytes=${kept}-` }])
  assert.deepEqual(readFileSync(join(folder, 'onnx/big.onnx')), content['onnx/big.onnx'])
  assert.ok(!existsSync(part))
})

test('a server without ranges sends everything again, and that is not appended', async () => {
  const directory = temporaryFolder()
  breakAfter = 40_000
  await assert.rejects(pull(directory))
  breakAfter = Infinity
  knowsRanges = false
  const { folder } = await pull(directory)
  knowsRanges = true
  assert.deepEqual(readFileSync(join(folder, 'onnx/big.onnx')), content['onnx/big.onnx'])
})

test('wrong bytes are thrown away and never take the place of a model', async () => {
  const directory = temporaryFolder()
  change = (bytes) => Buffer.from(bytes.map((byte) => byte ^ 1))
  await assert.rejects(pull(directory), /is not the file that was published: its checksum is/)
  change = (bytes) => Buffer.concat([bytes, bytes])
  await assert.rejects(pull(directory), /longer than the/)
  change = (bytes) => bytes
  assert.ok(!existsSync(join(directory, 'tiny')))
  await pull(directory)
})

test('a damaged file of a pulled model is fetched again', async () => {
  const directory = temporaryFolder()
  const { folder } = await pull(directory)
  writeFileSync(join(folder, 'tokenizer.json'), '[]')
  await pull(directory)
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['tokenizer.json'],
  )
  assert.equal(readFileSync(join(folder, 'tokenizer.json'), 'utf8'), '{}')
})

test('a source that cannot be reached, or has no such file, is a clear error', async () => {
  const away = {
    model,
    directory: temporaryFolder(),
    source: 'http://127.0.0.1:9',
    onProgress: () => undefined,
  }
  await assert.rejects(pullModel(away), /could not be fetched .*Without a connection, copy/s)
  const lost = { ...model, files: [{ path: 'missing.json', bytes: 5, sha256: '' }] }
  await assert.rejects(pullModel({ ...away, model: lost, source }), /it returned 404/)
})

test('a folder with a missing or wrong file says which', async () => {
  const fresh = (): string => writeTinyModel(join(temporaryFolder(), 'model'), ['a']).folder
  const refusal = async (spoil: (folder: string) => void): Promise<string> => {
    const folder = fresh()
    spoil(folder)
    return checkModel(folder).then(
      () => 'accepted',
      (error: Error) => error.message.replaceAll(folder, 'FOLDER'),
    )
  }
  const write = (file: string, text: string) => (folder: string) => writeFileSync(join(folder, file), text)
  assert.equal(await refusal(() => undefined), 'accepted')
  assert.match(await refusal((folder) => rmSync(folder, { recursive: true })), /FOLDER is not a folder/)
  assert.match(await refusal((folder) => rmSync(join(folder, 'onnx/model.onnx'))), /FOLDER has no model/)
  assert.match(await refusal((folder) => rmSync(join(folder, 'tokenizer.json'))), /tokenizer.json is missing/)
  assert.match(
    await refusal(write('tokenizer.json', '{"model":{"type":"BPE"}}')),
    /does not contain a WordPiece/,
  )
  assert.match(await refusal(write('tokenizer.json', '{"model":{"vocab":{"a":1}}}')), /no \[UNK\], \[CLS\]/)
  assert.match(await refusal(write('config.json', '{')), /config.json does not contain/)
  assert.match(
    await refusal(write('config.json', '{"hidden_size":384}')),
    /has 384 dimensions; 768 are needed/,
  )
  assert.match(await refusal(write('onnx/model.onnx', 'not a model')), /The model does not work/)
  const narrow = writeTinyModel(join(temporaryFolder(), 'narrow'), ['a'], 384).folder
  rmSync(join(narrow, 'config.json'))
  await assert.rejects(checkModel(narrow), /gives 1 × 10 × 384; texts × tokens × 768/)
})

test('the commands list, pull and check', async () => {
  const folder = temporaryFolder()
  const environment = { DATA_DIR: folder, MODEL_SOURCE_URL: source }
  const listed = await runCommand(['models', 'list'], environment)
  assert.match(listed.stdout, /signalbox-static-768 +built-in +23\.8 MB/)
  assert.match(listed.stdout, /nomic-embed-text-v1\.5 +can be pulled +138\.0 MB/)
  const pulled = await runCommand(['models', 'pull'], environment)
  assert.equal(pulled.code, 1)
  assert.match(pulled.stderr, /config\.json could not be fetched \(it returned 404\)/)
  const shipped = await runCommand([
    'models',
    'check',
    join(import.meta.dirname, '../../../models/static-768'),
  ])
  assert.equal(shipped.code, 0, shipped.stderr)
  assert.match(shipped.stdout, /signalbox-static-768 works/)
})

test('a damaged table of the shipped kind is found', async () => {
  const damaged = temporaryFolder()
  const shipped = join(import.meta.dirname, '../../../models/static-768')
  for (const file of ['model.json', 'scale.f32', 'vocab.txt'])
    writeFileSync(join(damaged, file), readFileSync(join(shipped, file)))
  writeFileSync(join(damaged, 'table.i8'), 'short')
  await assert.rejects(checkModel(damaged), /table\.i8 is damaged/)
})
