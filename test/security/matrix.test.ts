import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited, marker, send, type Reply } from './server.ts'
import { expectedCell, missingFrom, type Cell } from './expected.ts'
import { principalsOf, type Sender } from './principals.ts'
import { resourcesFor } from './resources.ts'
import { validRequest } from './requests.ts'
import type { Route } from './route-list.ts'

const server = await startAudited()
const senders = await principalsOf(server)

test('every route says who may call it, and why where it is for everybody', () => {
  const missing = [...server.routes].flatMap(([key, route]) => {
    const what = missingFrom(route)
    return what === undefined ? [] : [`${key} ${what}`]
  })
  assert.deepEqual(missing, [])
})

test('every kind of principal gets from every route what the route declares', async () => {
  const wrong: string[] = []
  const done = new Set<string>()
  for (const [key, route] of inOrder(server.routes)) {
    const cells = senders.map((sender) => ({ sender, cell: expectedCell(route, sender.kind) }))
    let path = await resourcesFor(server, route)
    const ask = async ({ sender, cell }: (typeof cells)[number]): Promise<void> => {
      const reply = await send(sender.url, validRequest(server.document, route, path), sender.headers)
      if (reply.status < 400) done.add(key)
      const problem = compare(cell, reply, sender)
      if (problem !== undefined) wrong.push(`${key} × ${sender.name}: ${problem}`)
    }
    // Those who are refused come first, while what the path names is still there.
    await Promise.all(cells.filter(({ cell }) => cell !== 'ok').map(ask))
    for (const each of cells.filter(({ cell }) => cell === 'ok')) {
      if (changesWhatItNames(route)) path = await resourcesFor(server, route)
      await ask(each)
    }
  }
  assert.deepEqual(wrong, [])
  const neverDone = [...server.routes.keys()].filter((key) => !done.has(key))
  assert.deepEqual(neverDone.toSorted(), [...failsForEverybody.keys()].toSorted())
})

/** The requests of the matrix are meant to succeed for whoever may send them; these cannot, for a reason. */
const failsForEverybody: ReadonlyMap<string, string> = new Map([
  ['GET /assets/*', 'no file has this name'],
  ['GET /api/auth/invitation', 'the token of the example is nobody’s'],
  ['POST /api/auth/invitation/accept', 'the token of the example is nobody’s'],
  ['POST /api/auth/sign-in/email', 'the account of the example does not exist'],
  ['POST /api/auth/sign-in/social', 'single sign-on is not set up'],
  ['POST /api/console/frontend-errors', 'the ID of the example is nobody’s'],
  ['POST /api/auth/change-password', 'the password of the example is nobody’s'],
  ...['github', 'gitlab', 'alertmanager', 'grafana', 'generic']
    .flatMap((kind) => [`POST /api/webhooks/${kind}`, `POST /api/webhooks/${kind}/{hook_id}`])
    .map((route) => [route, 'the example is not signed'] as const),
])

/** Signing out ends the sessions that the other routes are asked with. */
function inOrder(routes: ReadonlyMap<string, Route>): [string, Route][] {
  const isLast = ([, { operationId }]: [string, Route]): number => Number(operationId === 'signOut')
  return [...routes].toSorted((a, b) => isLast(a) - isLast(b))
}

const changesWhatItNames = ({ method, template }: Route): boolean =>
  method !== 'GET' && template.includes('{')

function compare(cell: Cell, { status, text }: Reply, { kind }: Sender): string | undefined {
  const isForeign = kind.is === 'outsider' || kind.is === 'person without group' || kind.is === 'nobody'
  if (isForeign && text.includes(marker)) return `the response shows what belongs to the group: ${text}`
  const isAdmitted = status < 500 && status !== 401 && status !== 403
  const isRight =
    (typeof cell === 'number' && status === cell) ||
    (cell === 'open' && status < 500) ||
    (cell === 'own' && isAdmitted) ||
    (cell === 'ok' && isAdmitted && status !== 404)
  return isRight ? undefined : `expected ${cell}, got ${status} ${text.slice(0, 120)}`
}
