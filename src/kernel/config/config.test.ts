import assert from 'node:assert/strict'
import { delimiter } from 'node:path'
import { test } from 'node:test'
import { StartFault } from '#kernel/errors'
import { describeConfig, isLoopback, loadConfig } from './index.ts'

function refusal(environment: Record<string, string>): string {
  try {
    loadConfig(environment)
  } catch (error) {
    assert.ok(error instanceof StartFault)
    return error.message
  }
  return 'accepted'
}

test('without any variable the defaults are those of the reference', () => {
  const config = loadConfig({})
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.PORT, 8000)
  assert.equal(config.WORKERS, 1)
  assert.equal(config.MAX_BODY_BYTES, 33_554_432)
  assert.equal(config.REQUEST_TIMEOUT_MS, 120_000)
  assert.deepEqual([...config.ROLES], ['gateway', 'embeddings', 'platform', 'watcher'])
  assert.equal(config.localOwner, true)
  assert.match(config.DATA_DIR, /^\/.*\/data$/)
})

test('a bad value is refused in one line that names the variable, its fault and the mend', () => {
  assert.equal(
    refusal({ PORT: 'eighty' }),
    'PORT: "eighty" is not valid: give a whole number from 0 to 65535.',
  )
  assert.equal(refusal({ PORT: '70000' }), 'PORT: "70000" is not valid: give a whole number from 0 to 65535.')
  assert.equal(refusal({ AUTH: 'none' }), 'AUTH: "none" is not valid: give one of auto, required, local.')
  assert.match(
    refusal({ ROLES: 'gateway,cook' }),
    /^ROLES: "gateway,cook" is not valid: give one of gateway, embeddings, platform, watcher/,
  )
  assert.match(
    refusal({ PUBLIC_URL: 'ftp://x' }),
    /^PUBLIC_URL: "ftp:\/\/x" is not valid: give an http or https address/,
  )
  assert.match(refusal({ OPENAI_BASE_URL: 'https://me:pass@host/v1' }), /without user and password/)
})

test('every bad value is named, not only the first', () => {
  assert.deepEqual(
    refusal({ PORT: 'x', WORKERS: '0' })
      .split('\n')
      .map((line) => line.split(':')[0]),
    ['PORT', 'WORKERS'],
  )
})

test('the value of a secret is never echoed, not even when it is wrong', () => {
  const message = refusal({ MASTER_KEY: 'hunter2', DATABASE_URL: 'mysql://me:hunter2@host/db' })
  assert.match(message, /MASTER_KEY: the value is not valid/)
  assert.match(message, /DATABASE_URL: the value is not valid/)
  assert.doesNotMatch(message, /hunter2/)
})

test('trusted proxies are addresses and networks', () => {
  const given = '127.0.0.1, 10.0.0.0/8,fd00::/8'
  assert.deepEqual(loadConfig({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES, [
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
  ])
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '127.0.0.1,', '::1/129', '10.0.0.0/x'])
    assert.match(refusal({ TRUSTED_PROXIES: wrong }), /^TRUSTED_PROXIES: .* is not valid/, wrong)
})

test('folders are separated by the path delimiter or by commas', () => {
  const folders = (TRANSCRIPTS_DIR: string): unknown => loadConfig({ TRANSCRIPTS_DIR }).TRANSCRIPTS_DIR
  assert.deepEqual(folders('/a,/b c, /d'), ['/a', '/b c', '/d'])
  assert.deepEqual(folders(['/a', '/b', '~/.claude/projects'].join(delimiter)), [
    '/a',
    '/b',
    '~/.claude/projects',
  ])
})

test('an empty value counts as unset', () => {
  assert.equal(loadConfig({ PORT: '', DATABASE_URL: '' }).PORT, 8000)
})

test('the local owner exists only on loopback without PUBLIC_URL', () => {
  assert.equal(loadConfig({ HOST: 'localhost' }).localOwner, true)
  assert.equal(loadConfig({ HOST: '::1' }).localOwner, true)
  assert.equal(loadConfig({ HOST: '0.0.0.0' }).localOwner, false)
  assert.equal(loadConfig({ AUTH: 'required' }).localOwner, false)
  assert.equal(loadConfig({ PUBLIC_URL: 'https://box.example.com' }).localOwner, false)
})

test('AUTH=local on a public address refuses to start', () => {
  assert.match(
    refusal({ AUTH: 'local', HOST: '0.0.0.0' }),
    /^AUTH: "local" makes everyone who can reach 0\.0\.0\.0 the owner\./,
  )
})

test('OIDC variables go together', () => {
  assert.match(refusal({ OIDC_ISSUER: 'https://id.example.com' }), /all three or none/)
})

test('loopback names are recognised and look-alikes are not', () => {
  for (const name of ['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    assert.ok(isLoopback(name), name)
  for (const name of [
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    '128.0.0.1',
    'evil-localhost',
    '',
    '::2',
    '0.0.0.0',
  ])
    assert.ok(!isLoopback(name), name)
})

test('the printed configuration hides secrets and tells what was set', () => {
  const environment = { OPENAI_API_KEY: 'sk-planted-secret-value', PORT: '9000' }
  const lines = describeConfig(loadConfig(environment), environment)
  assert.doesNotMatch(JSON.stringify(lines), /planted/)
  assert.deepEqual(lines.find((line) => line.name === 'OPENAI_API_KEY')?.value, '[secret]')
  assert.deepEqual(lines.find((line) => line.name === 'PORT')?.source, 'set')
  assert.ok(lines.every((line) => line.meaning.length > 0))
})
