import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { startProduct } from '#test/product'
import { reporterScript } from './reporter/script.ts'
import { list, titles } from './testing.ts'

const server = await startProduct({ PUBLIC_URL: '' })
const { call } = server

const setReporter = (json: object) => call('/api/console/reporter', { method: 'PUT', json })
const report = (id: string, headers: Record<string, string> = {}, message = 'x is not a function') =>
  fetch(`${server.url}/api/console/frontend-errors?id=${id}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: JSON.stringify({ message, stack: 'at cart.js:7', url: 'https://shop.example.com/cart', line: 7 }),
  })

test('pages report errors with the public id of a group, from its origins only, until it is switched off', async () => {
  assert.equal((await call('/api/console/reporter')).json.public_id, null)
  const { json } = await setReporter({ enabled: true, origins: ['https://shop.example.com'] })
  const id = json.public_id as string
  assert.equal(json.script, `<script src="${server.url}/api/console/frontend-errors.js?id=${id}"></script>`)
  assert.equal((await report(id, { origin: 'https://shop.example.com' })).status, 202)
  assert.equal((await report(id, { origin: 'https://evil.example.com' })).status, 403)
  assert.equal((await report(id)).status, 403)
  assert.equal((await report('fe_unknown', { origin: 'https://shop.example.com' })).status, 404)
  const [event, ...others] = await list(server, '?source=frontend')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [event?.type, event?.severity, event?.service, event?.title, event?.message],
    ['error', 'error', 'shop.example.com', 'x is not a function', 'at cart.js:7'],
  )
  assert.equal((await setReporter({ enabled: true, origins: [] })).json.public_id, id)
  assert.equal((await report(id, {}, 'from anywhere')).status, 202)
  await setReporter({ enabled: false })
  assert.equal((await report(id)).status, 404)
  assert.deepEqual(titles(await list(server, '?source=frontend')), ['from anywhere', 'x is not a function'])
})

test('a message that is longer than a title is kept whole', async () => {
  const { json } = await setReporter({ enabled: true })
  const message = `${'x'.repeat(600)} the end`
  assert.equal((await report(json.public_id, {}, message)).status, 202)
  const [event] = await list(server, '?source=frontend&limit=1')
  assert.deepEqual([event?.title, event?.message], [message.slice(0, 500), `${message}\nat cart.js:7`])
})

test('a body above 16 KB is refused, and so are more errors than a group may send', async () => {
  const { json } = await setReporter({ enabled: true })
  assert.equal((await report(json.public_id, {}, 'x'.repeat(20_000))).status, 413)
  // The limit of the group is below that of the address from which all of them come.
  const refusals = new Set<string>()
  for (let round = 0; round < 30 && refusals.size === 0; round++)
    for (const response of await Promise.all(Array.from({ length: 20 }, () => report(json.public_id))))
      if (response.status === 429) refusals.add(await response.text())
  assert.match([...refusals].join(), /Too many errors\. Try again in 1 s\./)
})

/** Runs the script as a page does; returns how the page reports an error, and what was sent. */
function openPage() {
  const listeners: Record<string, (event: object) => void> = {}
  const sent: [string, Record<string, unknown>][] = []
  runInNewContext(reporterScript, {
    document: { currentScript: { src: 'https://sb.example.com/api/console/frontend-errors.js?id=fe_1' } },
    location: { href: 'https://shop.example.com/reset?token=secret#secret' },
    navigator: { sendBeacon: (to: string, body: string) => sent.push([to, JSON.parse(body)]) > 0 },
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
  })
  return {
    fail: (event: object) => listeners['error']?.(event),
    reject: listeners['unhandledrejection'],
    sent,
  }
}

test('the script sends no query of an address: not that of the page, of a file or in a stack', () => {
  const { fail, reject, sent } = openPage()
  const page = 'https://shop.example.com/reset?token=secret(1)&at=12:30'
  fail({
    message: 'a.#b is not a function. Why?',
    error: {
      stack: `TypeError: a.#b is not a function. Why?\n    at a.#c (${page}:12:30)\n    at ${page}:7:1\nd@https://x/y.js#secret:3:4`,
    },
    filename: page,
    lineno: 12,
    colno: 30,
  })
  reject?.({ reason: 'a text' })
  const address = 'https://shop.example.com/reset'
  assert.deepEqual(sent, [
    [
      'https://sb.example.com/api/console/frontend-errors?id=fe_1',
      {
        message: 'a.#b is not a function. Why?',
        stack: `TypeError: a.#b is not a function. Why?\n    at a.#c (${address}:12:30)\n    at ${address}:7:1\nd@https://x/y.js:3:4`,
        url: address,
        file: address,
        line: 12,
        column: 30,
      },
    ],
    [
      'https://sb.example.com/api/console/frontend-errors?id=fe_1',
      { message: 'a text', stack: '', url: address },
    ],
  ])
})

test('an error that repeats does not use up the reports of a page', () => {
  const { fail, sent } = openPage()
  for (let n = 0; n < 100; n++) fail({ message: 'again' })
  for (let n = 0; n < 100; n++) fail({ message: `error ${n}` })
  assert.equal(sent.length, 20)
  assert.deepEqual([sent[0]?.[1]['message'], sent[1]?.[1]['message']], ['again', 'error 0'])
})

test('the script for pages has at most 1 KB and other sites may load it', async () => {
  const response = await fetch(`${server.url}/api/console/frontend-errors.js?id=fe_1`)
  assert.equal(await response.text(), reporterScript)
  assert.ok(reporterScript.length <= 1_024, `${reporterScript.length}`)
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
})
