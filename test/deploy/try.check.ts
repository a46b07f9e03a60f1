/**
 * `npm run deploy:try`: "Two replicas on Debian" of docs/deploy.md, followed to the letter with Debian's PostgreSQL and
 * nginx below a temporary folder, up to a backup that was restored. TRY_FILE names a packed product that is there
 * already; without it `npm pack` makes one. systemctl.ts stands for systemd.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { Agent, fetch } from 'undici'
import { startFakeProvider } from '#fake-provider'
import { exampleModels, keyOf } from '#test/gateway'
import { startIssuer, signInWith } from '#test/issuer'
import type { Answer, CallOptions } from '#test/product'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { readGuide } from './guide.ts'
import { makeMachine, missing } from './machine.ts'

const checkout = join(import.meta.dirname, '../..')
const options = { skip: missing() }

test(
  'the guide leads to two replicas with TLS, single sign-on and a backup that was restored',
  options,
  async () => {
    const machine = await makeMachine()
    const { root, sh, here } = machine
    const guide = readGuide()
    const block = (step: number, at = 0): string => {
      const found = guide.get(step)?.[at]
      assert.ok(found, `step ${step} has no block ${at}`)
      return found.text
    }
    const fake = await startFakeProvider()
    after(() => fake.close())
    const issuer = await startIssuer()
    const settings = join(root, 'etc/signalbox/settings.env')
    const password = randomBytes(24).toString('hex')

    // 2 to 5: database, product, settings, replicas.
    await sh(block(2), `${password}\n${password}\n`)
    await sh(block(3).replace(/\S+\.tgz/, packed()))
    for (const file of globSync('opt/signalbox/node_modules/signalbox/deploy/{systemd,proxy}/*', {
      cwd: root,
    }))
      writeFileSync(join(root, file), here(readFileSync(join(root, file), 'utf8')))
    const masterKey = (await sh(block(4))).trim()
    appendFileSync(settings, here(block(4, 1)).replace('PASSWORD', password).replace('=KEY', `=${masterKey}`))
    appendFileSync(
      settings,
      `OPENAI_BASE_URL=${fake.baseUrls['OPENAI_BASE_URL']}\nOPENAI_API_KEY=${keyOf('openai')}\n`,
    )
    assert.equal((await sh(block(5))).match(/"status":"ready"/g)?.length, 2)

    // 6: through TLS from here on.
    assert.match(await sh(block(6) + block(6, 1)), /"status":"ready"/)
    const url = `https://signalbox.example.com:${machine.tls}`
    const call = callOf(url, readFileSync(join(root, 'etc/ssl/signalbox/fullchain.pem'), 'utf8'))

    // 7: the first owner.
    const printed = await sh(block(7))
    const key = /sb-[\w-]{20,}/.exec(printed)?.[0] ?? ''
    const joined = await call('/api/auth/invitation/accept', {
      json: {
        ...{ token: /join\?token=(\S+)/.exec(printed)?.[1], name: 'Ada' },
        ...{ email: 'ada@example.com', password: 'a long enough password' },
      },
      headers: { origin: url },
    })
    assert.equal(joined.status, 200, joined.text)

    // 8: single sign-on. The session holds on both replicas.
    appendFileSync(settings, block(8).replace('https://login.example.com', issuer.url))
    await sh(block(8, 1))
    const { me, cookie } = await signInWith(
      issuer,
      { url, config: { PUBLIC_URL: url }, call },
      'lin@example.com',
    )
    assert.deepEqual([me.status, me.json.user?.email], [200, 'lin@example.com'], me.text)
    for (const _ of machine.replicas)
      assert.equal((await call('/api/v1/me', { headers: { cookie } })).status, 200)

    // Completions, until each replica has served one.
    const asked: string[] = []
    await waitFor('both replicas to serve', async () => {
      fake.script('openai', { text: 'Hello.' })
      const { status, text, headers } = await call('/v1/chat/completions', {
        key,
        json: { model: exampleModels.openai, messages: [{ role: 'user', content: 'Hello?' }] },
      })
      assert.equal(status, 200, text)
      asked.push(headers.get('x-request-id') ?? '')
      const served = readFileSync(join(root, 'run/access.log'), 'utf8')
      return machine.replicas.every((replica) => served.includes(`${replica} 200 /v1/chat/completions`))
    })
    await waitFor('the usage log', async () =>
      (await Promise.all(asked.map((id) => call(`/api/v1/logs/${id}`, { key })))).every(
        ({ status }) => status === 200,
      ),
    )

    // 9: the backup, the drill, and what the timer starts.
    const entered = block(9)
    assert.match(await sh(entered), /No problems found[^]*Restored \d+ rows/)
    const drilled = await sh(entered.replace(/^npx.*$/gm, '') + block(9, 1))
    assert.match(drilled, /No problems found[^]*ada@example\.com/)
    const drill = new pg.Client(
      `postgres://signalbox:${password}@127.0.0.1:${machine.database}/signalbox_drill`,
    )
    await drill.connect()
    const { rows } = await drill
      .query(
        `select 'req_' || replace(id::text, '-', '') as id from usage.usage_logs
         where 'req_' || replace(id::text, '-', '') = any ($1)`,
        [asked],
      )
      .finally(() => drill.end())
    assert.deepEqual(rows.map(({ id }) => String(id)).toSorted(), asked.toSorted())
    await sh(block(9, 2))
    await sh(block(9, 3))
    assert.equal(readdirSync(join(root, 'var/lib/signalbox/backups')).length, 1)
  },
)

function packed(): string {
  const given = process.env['TRY_FILE']
  if (given) return join(given)
  const folder = temporaryFolder()
  execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}

/** Asks as a browser does that trusts the certificate, where the name of the guide leads to this machine. */
function callOf(url: string, ca: string): (path: string, options?: CallOptions) => Promise<Answer> {
  const dispatcher = new Agent({
    connect: {
      ca,
      lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  })
  after(() => dispatcher.close())
  return async (path, { key, json, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      dispatcher,
      redirect: 'manual',
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers as never,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }
}
