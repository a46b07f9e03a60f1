import assert from 'node:assert/strict'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCommands } from '#test/commands'
import { runCommand, spawnProduct } from '#test/process'
import { temporaryFolder, testMasterKey } from '#test/product'

const folder = temporaryFolder()
const run = startCommands()
/** Made of parts, so that no scanner takes this file for a leak. */
const planted = {
  MASTER_KEY: testMasterKey,
  SESSION_SECRET: 'planted-session-secret-0123456789',
  OIDC_ISSUER: 'https://issuer.example.com',
  OIDC_CLIENT_ID: 'signalbox',
  OIDC_CLIENT_SECRET: 'planted-oidc-secret-0123456789',
  SMTP_URL: `smtps://mailer:planted%40mail-password@mail.example.com:465`,
  SMTP_FROM: 'signalbox@example.com',
  OPENAI_API_KEY: `sk-proj-${'planted'.repeat(6)}`,
  ANTHROPIC_API_KEY: `sk-ant-api03-${'planted'.repeat(6)}`,
  RUNTIME_API_KEY: 'planted-runtime-key-0123456789',
  DATABASES: '{"shop":"postgres://agent:planted-shop-password@shop.example.com/shop"}',
  PUBLIC_URL: 'https://signalbox.internal.example.com',
}
const secrets = [
  ...[planted.MASTER_KEY, planted.SESSION_SECRET, planted.OIDC_CLIENT_SECRET, planted.OPENAI_API_KEY],
  ...[planted.ANTHROPIC_API_KEY, planted.RUNTIME_API_KEY, 'planted%40mail-password', 'planted@mail-password'],
  ...['planted-shop-password', 'planted-database-password'],
]

const server = await spawnProduct({ DATA_DIR: join(folder, 'data'), PORT: '0' })
const environment = { DATA_DIR: join(folder, 'data'), PORT: '0' }
await server.call('/providers/openai', {
  json: { api_key: `sk-stored-${'planted'.repeat(5)}`, name: 'main' },
  headers: { accept: 'application/json' },
})

const read = (file: string) => {
  const text = readFileSync(file, 'utf8')
  // oxlint-disable-next-line typescript/no-explicit-any
  return { text, json: JSON.parse(text) as any }
}

test('the bundle says what helpers need of a running installation', async () => {
  const file = join(folder, 'running.json')
  const { code, stdout, stderr } = await runCommand(['doctor', '--support', file], environment)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Read it before you send it/)
  const { text, json } = read(file)
  assert.match(json.commit, /^([0-9a-f]{12}|unknown)$/)
  assert.deepEqual(
    [json.server.is_running, json.server.ready.status, json.server.ready.body.status],
    [true, 200, 'ready'],
  )
  assert.ok(json.server.metrics.some((line: string) => line.startsWith('signalbox_database_connections')))
  assert.equal(json.database.kind, 'embedded')
  assert.deepEqual(json.database.migrations.pending, [])
  assert.ok(json.database.tables.some(({ table }: { table: string }) => table === 'usage.usage_logs'))
  assert.ok(json.database.queues.length > 0)
  assert.equal(json.database.replicas.length, 1)
  assert.ok(json.findings.every(({ ok }: { ok: boolean }) => ok))
  assert.ok(json.machine.node_flags.includes('--max-semi-space-size=16'))
  const token = readFileSync(join(environment.DATA_DIR, 'owner.token'), 'utf8').trim()
  const key = readFileSync(join(environment.DATA_DIR, 'master.key'), 'utf8').trim()
  const password = readFileSync(join(environment.DATA_DIR, 'postgres.password'), 'utf8').trim()
  for (const secret of [token, key, password, 'planted', server.key ?? ''])
    assert.ok(!text.includes(secret), secret)
})

test('no secret is in it, from settings, from a log or from a message', async () => {
  const log = join(folder, 'own.log')
  const lines = [
    ...secrets.map((secret) => JSON.stringify({ level: 'info', msg: `tried ${secret} twice` })),
    `{"level":"error","msg":"cannot connect to postgres://signalbox:planted-database-password@db/signalbox"}`,
    `{"level":"error","msg":"refused key sb-${'Planted7'.repeat(5)}"}`,
    '{"level":"info","msg":"an ordinary line"}',
  ]
  writeFileSync(log, lines.join('\n'))
  const file = join(folder, 'secrets.json')
  const { code, stderr } = await run(['doctor', '--support', file, '--log', log], {
    ...planted,
    ...environment,
    DATABASE_URL: 'postgres://signalbox:planted-database-password@127.0.0.1:1/signalbox',
  })
  assert.equal(code, 0, stderr)
  const { text, json } = read(file)
  assert.deepEqual(
    secrets.filter((secret) => text.includes(secret)),
    [],
  )
  assert.doesNotMatch(text, /Planted7|internal\.example/)
  assert.equal(json.log.length, lines.length)
  assert.equal(json.log.at(-1), lines.at(-1))
  const shown = (name: string) =>
    json.settings.find((each: { name: string }) => each.name === name) as Record<string, unknown>
  assert.deepEqual(shown('OIDC_CLIENT_SECRET'), { name: 'OIDC_CLIENT_SECRET', is_set: true, value: null })
  assert.deepEqual(shown('PUBLIC_URL'), { name: 'PUBLIC_URL', is_set: true, value: null })
  assert.deepEqual(shown('PORT'), { name: 'PORT', is_set: true, value: '0' })
  assert.deepEqual(shown('WORKERS'), { name: 'WORKERS', is_set: false, value: null })
})

test('settings that are not valid do not stop it, and their values are not quoted', async () => {
  const file = join(folder, 'wrong.json')
  const { code } = await run(['doctor', '--support', file], {
    ...environment,
    PORT: 'planted-in-a-wrong-line',
  })
  assert.equal(code, 0)
  const { text, json } = read(file)
  assert.doesNotMatch(text, /planted-in/)
  assert.match(json.findings[1].detail, /^PORT: not valid: give a whole number/)
})

test('it is readable by its owner alone, and never replaces a file or follows a link', async () => {
  const file = join(folder, 'mode.json')
  assert.equal((await run(['doctor', '--support', file], environment)).code, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = await run(['doctor', '--support', file], environment)
  assert.deepEqual([again.code, /already exists/.test(again.stderr)], [1, true])
  const link = join(folder, 'link.json')
  symlinkSync(join(folder, 'elsewhere.json'), link)
  assert.equal((await run(['doctor', '--support', link], environment)).code, 1)
})
