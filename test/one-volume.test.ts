import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { startFakeProvider } from './fake-provider/index.ts'
import { keyOf } from './harness/gateway.ts'
import { collect, spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { commandLine } from './run/command-line.ts'

const otherNamespace = ['--pid', '--fork', '--mount-proc']
const mayUnshare = spawnSync('unshare', [...otherNamespace, 'true']).status === 0

/** What a second container on the volume does: it starts, sees no process of the first, and must not continue. */
async function startElsewhere(environment: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  const child = spawn('unshare', [...otherNamespace, process.execPath, commandLine(), 'serve'], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  const said = collect(child)
  const [code] = (await once(child, 'close')) as [unknown]
  return { code, said: said() }
}

test(
  'two servers on one volume under load: the second is refused every time, and no request is lost',
  { skip: mayUnshare ? false : 'this system does not allow a new process namespace' },
  async () => {
    const fake = await startFakeProvider()
    after(() => fake.close())
    const environment = { DATA_DIR: temporaryFolder(), PORT: '0', LOG_LEVEL: 'warn', ...fake.baseUrls }
    const server = await spawnProduct(environment)
    const added = await server.call('/providers/openai', {
      json: { api_key: keyOf('openai'), name: 'key' },
      headers: { accept: 'application/json' },
    })
    assert.equal(added.status, 201, added.text)

    let isOver = false
    const answered: string[] = []
    const ask = async (): Promise<void> => {
      const json = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] }
      while (!isOver) {
        const response = await server.call('/v1/chat/completions', { key: server.key ?? '', json })
        assert.equal(response.status, 200, response.text)
        answered.push(response.headers.get('x-request-id') ?? '')
      }
    }
    const load = Promise.all(Array.from({ length: 8 }, ask))
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, said } = await startElsewhere(environment)
      assert.equal(code, 1, said)
      assert.match(said, /^DATA_DIR: another Signalbox \(process \d+ on \S+\) is using/)
    }
    isOver = true
    await load

    assert.ok(answered.length > 20, `${answered.length} requests`)
    const { json: log } = await server.call('/api/v1/logs?limit=1000')
    assert.equal(log.total, answered.length)
    assert.equal(new Set(answered).size, answered.length)
    assert.equal(await server.end(), 0)
  },
)
