import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startCommands } from '#test/commands'
import { runCommand, spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'
import { useSeed } from '#test/seed'
import { waitFor } from '#test/wait'

const dataDir = temporaryFolder()
const environment = { DATA_DIR: dataDir, PORT: '0' }
const server = await spawnProduct(environment)
/** Most commands share a process; each runs as a process of its own once. */
const run = startCommands()

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run([...args, '--json'], environment)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('help lists every command, each command explains itself, and wrong words exit with 2', async () => {
  const help = await runCommand(['--help'])
  assert.equal(help.code, 0)
  const names = ['serve', 'open', 'keys', 'users', 'usage', 'doctor', 'config', 'backup', 'restore']
  const explain = async (name: string): Promise<void> => {
    assert.match(help.stdout, new RegExp(`^  ${name} `, 'm'))
    const own = await run([name, '--help'])
    assert.equal(own.code, 0)
    assert.match(own.stdout, new RegExp(`signalbox ${name}`))
  }
  await Promise.all(names.map(explain))
  assert.equal((await runCommand(['fly'])).code, 2)
  const wrong = [
    ['keys', 'paint'],
    ['keys', 'list', '--colour'],
  ]
  const codes = await Promise.all(wrong.map(async (words) => (await run(words)).code))
  assert.deepEqual(codes, [2, 2])
})

test('the first key has the scopes of a client; admin work on this machine needs the owner token', async () => {
  const { json } = await server.call('/api/v1/me', { key: server.key ?? '' })
  assert.deepEqual(json.scopes, ['gateway', 'embeddings', 'events', 'read'])
  assert.equal((await server.call('/api/v1/me')).json.via, 'local')
})

test('open prints the link of the dashboard again, and says what to do where there is none', async () => {
  const printed = /http:\S+\/\?token=(\S+)/.exec(server.output())?.[1]
  const { url } = (await json('open')) as { url: string }
  assert.equal(url, `${server.url}/?token=${printed}`)
  // Whatever PORT is here: the server has chosen its port.
  const again = await runCommand(['open'], { DATA_DIR: dataDir })
  assert.equal(again.stdout, `${server.url}/?token=${printed}\n`)
  const opened = await fetch(again.stdout.trim(), { redirect: 'manual' })
  assert.equal(opened.headers.getSetCookie().length, 1)
  const strict = await run(['open'], { ...environment, AUTH: 'required' })
  assert.deepEqual([strict.code, /people sign in/.test(strict.stderr)], [1, true])
  const fresh = await run(['open'], { DATA_DIR: temporaryFolder() })
  assert.deepEqual([fresh.code, /npm start/.test(fresh.stderr)], [1, true])
})

test('open believes what a server wrote down only while that server runs', async () => {
  const given = { DATA_DIR: temporaryFolder() }
  const note = join(given.DATA_DIR, 'server.json')
  const open = (port: string) => runCommand(['open'], { ...given, PORT: port })
  const killed = await spawnProduct(given)
  assert.ok((await open('0')).stdout.startsWith(`${killed.url}/?token=`))
  await killed.end('SIGKILL')
  assert.ok(existsSync(note))
  assert.match((await open('8123')).stdout, /^http:\/\/127\.0\.0\.1:8123\/\?token=/)
  const unknown = await open('0')
  assert.deepEqual([unknown.code, /PORT is 0/.test(unknown.stderr)], [1, true])
  const invited = await runCommand(['users', 'invite', 'ada@example.com'], { ...given, PORT: '0' })
  assert.deepEqual([invited.code, /PORT is 0/.test(invited.stderr)], [1, true])
  // The process that runs has another start than the one that wrote it.
  writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, 'utf8')), process: server.pid }))
  assert.equal((await open('0')).code, 1)
  writeFileSync(note, 'torn')
  assert.equal((await open('0')).code, 1)
  const stopped = await spawnProduct(given)
  assert.ok((await open('8123')).stdout.startsWith(`${stopped.url}/?token=`))
  await stopped.end()
  assert.ok(!existsSync(note))
})

test('keys are made, listed and revoked on the running Signalbox', async () => {
  const made = (await json('keys', 'create', 'from the shell', '--scopes', 'read,gateway')) as {
    id: string
    key: string
  }
  assert.equal((await server.call('/api/v1/me', { key: made.key })).status, 200)
  const listed = await runCommand(['keys', 'list', '--json'], environment)
  assert.equal(listed.code, 0, listed.stderr)
  const list = JSON.parse(listed.stdout) as { id: string; name: string }[]
  assert.ok(list.some((key) => key.id === made.id && key.name === 'from the shell'))
  await json('keys', 'revoke', made.id)
  const isRefused = async () => (await server.call('/api/v1/me', { key: made.key })).status === 401
  await waitFor('the key to be refused', isRefused)
  assert.equal((await run(['keys', 'revoke', 'nonsense'], environment)).code, 2)
  assert.equal((await run(['keys', 'create', 'x', '--scopes', 'fly'], environment)).code, 2)
  const unknown = ['keys', 'revoke', '0190b3a0-0000-7000-8000-000000000000']
  assert.equal((await run(unknown, environment)).code, 1)
})

test('a price is set for the past, and costs of a period are recalculated, and changed only on request', async () => {
  const set = (await json(
    ...['usage', 'price', 'house/model', '--input', '1.50', '--output', '6', '--from', '2026-01-31'],
  )) as Record<string, unknown>
  assert.deepEqual(
    [set['input_price_per_1m'], set['effective_from'], set['source']],
    ['1.5', '2026-01-31T00:00:00.000Z', 'own'],
  )
  const period = ['usage', 'reprice', '--from', '2026-01-01', '--to', '2026-01-31']
  assert.deepEqual(await json(...period), { applied: false, changed: 0, models: [] })
  assert.match((await runCommand(period, environment)).stdout, /^MODEL +REQUESTS +CHANGED/)
  const wrong = [
    ['usage', 'price', 'm', '--input', '1'],
    ['usage', 'reprice', '--from', '2026-02-30', '--to', '2026-03-01'],
    ['usage', 'reprice', '--from', '2026-03-02', '--to', '2026-03-01'],
    ['usage', 'reprice', '--from', 'yesterday', '--to', 'today'],
  ]
  for (const words of wrong) assert.equal((await run(words, environment)).code, 2, words.join(' '))
  const free = await run(['usage', 'price', 'm', '--input', '-1', '--output', '1'], environment)
  assert.notEqual(free.code, 0)
})

test('people are invited, listed, given a new password and removed', async () => {
  const { url } = (await json('users', 'invite', 'shell@example.com', '--role', 'member')) as { url: string }
  assert.ok(url.startsWith(`${server.url}/join?token=`), url)
  const token = new URL(url).searchParams.get('token')
  const origin = { origin: server.url }
  const joined = await server.call('/api/auth/invitation/accept', {
    json: { token, name: 'Shell', email: 'shell@example.com', password: 'the first password' },
    headers: origin,
  })
  assert.equal(joined.status, 200, joined.text)
  const { password } = (await json('users', 'reset-password', 'shell@example.com')) as { password: string }
  assert.equal(
    (
      await server.call('/api/auth/sign-in/email', {
        json: { email: 'shell@example.com', password },
        headers: origin,
      })
    ).status,
    200,
  )
  assert.ok(
    ((await json('users', 'list')) as { email: string }[]).some((user) => user.email === 'shell@example.com'),
  )
  await json('users', 'remove', 'shell@example.com')
  assert.ok(
    !((await json('users', 'list')) as { email: string }[]).some(
      (user) => user.email === 'shell@example.com',
    ),
  )
  const last = await runCommand(['users', 'remove', 'owner@localhost'], environment)
  assert.equal(last.code, 1)
  assert.match(last.stderr, /only owner of Default/)
})

test('config prints every setting with secrets hidden', async () => {
  const { stdout } = await runCommand(['config'], {
    ...environment,
    OPENAI_API_KEY: 'sk-planted-secret-value',
  })
  assert.match(stdout, /^OPENAI_API_KEY +\[secret\] +set/m)
  assert.ok(!stdout.includes('planted'))
})

test('config says what a value may be', async () => {
  const lines = (await json('config')) as { name: string; allowed: string | null }[]
  const allowed = (name: string) => lines.find((line) => line.name === name)?.allowed
  assert.deepEqual(
    [allowed('AUTH'), allowed('PORT'), allowed('DATA_DIR'), allowed('OPENAI_API_KEY')],
    ['auto, required, local', 'a whole number from 0 to 65535', null, null],
  )
})

test('the version is printed with its commit, and a running server says the same', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const { commit } = (await json('--version')) as { commit: string }
  assert.match(commit, /^([0-9a-f]{12}|unknown)$/)
  assert.equal((await runCommand(['--version'])).stdout, `signalbox ${version} (commit ${commit})\n`)
  const me = await server.call('/api/v1/me')
  assert.deepEqual([me.json.version, me.json.commit], [version, commit])
})

test('when the master key is lost, doctor says so, and dropping what it sealed lets Signalbox start', async () => {
  const lost = { DATA_DIR: temporaryFolder(), PORT: '0', LOG_LEVEL: 'error' }
  const first = await spawnProduct(lost)
  await first.call('/providers/openai', {
    json: { api_key: 'sk-that-will-be-lost-0000', name: 'main' },
    headers: { accept: 'application/json' },
  })
  const well = await run(['doctor'], lost)
  assert.match(well.stdout, /ok {4}key store +1 stored provider keys and secrets can be opened/)
  await first.end()
  rmSync(join(lost.DATA_DIR, 'master.key'))

  const refused = await runCommand(['serve'], lost)
  assert.match(refused.stderr, /was sealed by the master key .* If it is lost: .* keys drop-sealed\n$/)
  const sick = await run(['doctor'], lost)
  assert.match(
    sick.stdout,
    /FAIL {2}master key +There is none, but what is stored was sealed by the master key [^]*FAIL {2}key store .*was sealed by the master key/,
  )
  const asked = await run(['keys', 'drop-sealed'], lost)
  assert.deepEqual([asked.code, /deletes 1 stored/.test(asked.stdout)], [1, true])
  assert.equal((await runCommand(['serve'], lost)).code, 1)
  assert.ok(!existsSync(join(lost.DATA_DIR, 'master.key')), 'a start that fails makes no key')
  assert.equal((await runCommand(['keys', 'drop-sealed', '--yes'], lost)).code, 0)
  const again = await spawnProduct(lost)
  assert.deepEqual((await again.call('/providers/openai/keys')).json.data ?? [], [])
  await again.end()
})

test('doctor names models that are retired or soon will be, with their dates', async () => {
  const { code, stdout } = await run(['doctor'], {
    ...environment,
    AGENT_MODEL: 'claude-sonnet-4-5',
    STANDUP_MODEL: 'o3-mini',
  })
  assert.equal(code, 1, stdout)
  assert.match(
    stdout,
    /FAIL {2}models .*o3-mini \(retired on 2026-10-23\), claude-sonnet-4-5 \(retired on 2026-11-30\)/,
  )
})

test('doctor finds nothing wrong here, and says what to do where something is', async () => {
  const well = await runCommand(['doctor'], environment)
  assert.equal(well.code, 0, well.stdout)
  assert.match(well.stdout, new RegExp(`ok {4}port +${new URL(server.url).port}: Signalbox is running`))
  const ill = temporaryFolder()
  writeFileSync(join(ill, 'master.key'), 'damaged\n', { mode: 0o600 })
  mkdirSync(join(ill, 'journal'))
  writeFileSync(join(ill, 'journal/rejected.ndjson'), '{}\n')
  const sick = await run(['doctor', '--json'], { DATA_DIR: ill, PORT: '0' })
  assert.equal(sick.code, 1)
  const report = JSON.parse(sick.stdout) as {
    ok: boolean
    findings: { check: string; ok: boolean; detail: string }[]
  }
  assert.deepEqual(
    report.findings.filter((finding) => !finding.ok).map((finding) => finding.check),
    ['master key', 'journal'],
  )
  assert.match(report.findings.find((finding) => !finding.ok)?.detail ?? '', /Restore the original/)
  assert.match(well.stdout, /ok {4}journal +[\d.]+ MB in the usage journal, no rejected or damaged rows/)
})

test('doctor fails a DATA_DIR that other users can write or list', async () => {
  const open = { DATA_DIR: temporaryFolder(), PORT: '0' }
  chmodSync(open.DATA_DIR, 0o775)
  useSeed(open.DATA_DIR)
  chmodSync(open.DATA_DIR, 0o775)
  const { stdout } = await run(['doctor'], open)
  assert.match(stdout, /FAIL {2}data folder +\S+ is open to other users \(mode 775\)\. Run: chmod 700/)
})

test('backup --check restores the file into a temporary database and leaves nothing behind', async () => {
  const file = join(temporaryFolder(), 'checked.backup')
  const before = readdirSync(dataDir).toSorted()
  const checked = (await json('backup', file, '--check')) as { restored: { tables: number; rows: number } }
  assert.ok(checked.restored.tables > 50 && checked.restored.rows > 0, JSON.stringify(checked))
  assert.deepEqual(readdirSync(dataDir).toSorted(), before)
})

test('a restore refuses a backup whose master key is not the one that it names', async () => {
  const file = join(temporaryFolder(), 'other-key.backup')
  await json('backup', file, '--include-master-key')
  const text = gunzipSync(readFileSync(file)).toString()
  const other = Buffer.alloc(32, 9).toString('base64')
  const forged = text
    .replace(/"master_key_id":null/, '"master_key_id":"0123456789abcdef"')
    .replace(/"master_key":"[^"]+"/, `"master_key":"${other}"`)
  writeFileSync(file, gzipSync(forged))
  const elsewhere = { DATA_DIR: join(temporaryFolder(), 'restored'), PORT: '0' }
  const { code, stderr } = await run(['restore', file], elsewhere)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^The backup says that the master key [0-9a-f]{16} sealed its secrets, but has another/,
  )
  assert.ok(!existsSync(elsewhere.DATA_DIR))
})

test('a backup of the running Signalbox restores elsewhere with the same keys and people', async () => {
  const file = join(temporaryFolder(), 'signalbox.backup')
  await server.call('/api/v1/keys', { json: { name: 'quotes \' " tabs \t lines \n and \\ backslashes' } })
  assert.equal((await runCommand(['backup', file], environment)).code, 0)
  const content = gunzipSync(readFileSync(file)).toString()
  assert.ok(
    !content.includes(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()),
    'the master key is left out',
  )
  assert.ok(!content.includes(server.key ?? 'none'))

  const elsewhere = { DATA_DIR: join(temporaryFolder(), 'restored'), PORT: '0' }
  const restored = await runCommand(['restore', file], elsewhere)
  assert.equal(restored.code, 0, restored.stderr)
  const copy = await spawnProduct(elsewhere)
  assert.equal(copy.key, undefined, 'it is not a first start')
  const before = (await server.call('/api/v1/keys')).json.data.map((key: { id: string; name: string }) => [
    key.id,
    key.name,
  ])
  const after = (await copy.call('/api/v1/keys', { key: server.key ?? '' })).json.data.map(
    (key: { id: string; name: string }) => [key.id, key.name],
  )
  assert.deepEqual(after, before)
  await copy.end()

  const again = await run(['restore', file], elsewhere)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^The database is not empty/)
})

test('the master key travels only when asked for', async () => {
  const file = join(temporaryFolder(), 'with-key.backup')
  await json('backup', file, '--include-master-key')
  const elsewhere = { DATA_DIR: join(temporaryFolder(), 'restored'), PORT: '0' }
  useSeed(elsewhere.DATA_DIR)
  await run(['restore', file], elsewhere)
  assert.equal(
    readFileSync(join(elsewhere.DATA_DIR, 'master.key'), 'utf8'),
    readFileSync(join(dataDir, 'master.key'), 'utf8'),
  )
})

test('a master key that did not seal the provider keys is not put into a backup', async () => {
  const added = await server.call('/providers/openai', {
    json: { name: 'any', api_key: 'sk-cli-test-0123456789' },
  })
  assert.equal(added.status, 201, added.text)
  const file = join(temporaryFolder(), 'wrong-key.backup')
  const wrong = { ...environment, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { code, stderr } = await run(['backup', file, '--include-master-key'], wrong)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^The key store was sealed by the master key [0-9a-f]{16}, but the one here is [0-9a-f]{16}\./,
  )
  assert.ok(!existsSync(file) && !existsSync(`${file}.part`))
  const alert = await server.call('/api/v1/alerts', { json: { name: 'Backups', kind: 'backup_failed' } })
  assert.equal(alert.json.state, 'firing', 'the command has reported it')
})

test('a damaged, cut or foreign backup changes nothing', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'good.backup')
  await json('backup', file)
  const whole = gunzipSync(readFileSync(file)).toString()
  const bad = {
    'cut.backup': gzipSync(whole.slice(0, whole.length - 20)),
    'torn.backup': readFileSync(file).subarray(0, 200),
    'foreign.backup': gzipSync('{"something":"else"}\n'),
    'text.backup': Buffer.from('not a backup at all'),
    'newer.backup': gzipSync(whole.replace(/"migration":"[^"]+"/, '"migration":"9999_future"')),
  }
  for (const [name, bytes] of Object.entries(bad)) {
    writeFileSync(join(folder, name), bytes)
    const target = join(folder, `data-${name}`)
    const { code, stderr } = await run(['restore', join(folder, name)], {
      DATA_DIR: target,
      PORT: '0',
    })
    assert.equal(code, 1, name)
    assert.match(stderr, /backup|newer|cut off/i, name)
    assert.ok(!existsSync(join(target, 'postgres')), `${name} started no database`)
  }
  const exists = await run(['backup', file], environment)
  assert.equal(exists.code, 1)
  assert.match(exists.stderr, /already exists/)
})
