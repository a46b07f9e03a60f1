import { resourcesFor } from '../resources.ts'
import { validRequest } from '../requests.ts'
import type { Route } from '../route-list.ts'
import { marker, send, type AuditedServer, type Reply } from '../server.ts'
import { expectedCell, type Cell } from './expected.ts'
import type { Sender } from './principals.ts'

export interface Entry {
  sender: Sender
  cell: Cell
}

export interface Matrix {
  /** What a principal got, where it is not what the route declares. */
  wrong: string[]
  /** Routes that nobody could use: their cells prove little. */
  neverDone: string[]
  /** The cells of each route, by principal. */
  rows: Map<string, Map<string, Cell>>
}

/** Asks every route as every principal that `choose` leaves. */
export async function runMatrix(
  server: AuditedServer,
  senders: readonly Sender[],
  choose: (entries: Entry[], row: number) => Entry[] = (entries) => entries,
): Promise<Matrix> {
  const wrong: string[] = []
  const done = new Set<string>()
  const rows: Matrix['rows'] = new Map()
  for (const [key, route] of inOrder(server.routes)) {
    const all = senders.map((sender) => ({ sender, cell: expectedCell(route, sender.kind) }))
    const entries = choose(all, rows.size)
    rows.set(key, new Map(entries.map(({ sender, cell }) => [sender.name, cell])))
    let path = await resourcesFor(server, route)
    const ask = async ({ sender, cell }: Entry): Promise<void> => {
      const reply = await send(sender.url, validRequest(server.document, route, path), sender.headers)
      if (reply.status < 400) done.add(key)
      const problem = compare(cell, reply, sender)
      if (problem !== undefined) wrong.push(`${key} × ${sender.name}: ${problem}`)
    }
    // Those who are refused come first, while what the path names is still there.
    await Promise.all(entries.filter(({ cell }) => cell !== 'ok').map(ask))
    for (const each of entries.filter(({ cell }) => cell === 'ok')) {
      if (changesWhatItNames(route)) path = await resourcesFor(server, route)
      await ask(each)
    }
  }
  return { wrong, neverDone: [...server.routes.keys()].filter((key) => !done.has(key)).toSorted(), rows }
}

/** Every person, and of other principals of one kind who expect the same, one: the next one for the next route. */
export function someOfEachKind(entries: Entry[], row: number): Entry[] {
  const kinds = Map.groupBy(entries, ({ sender, cell }) => `${sender.kind.is} ${cell}`)
  return [...kinds.values()].flatMap((same) =>
    same[0]?.sender.kind.is === 'person' ? same : (same[row % same.length] ?? []),
  )
}

/** Signing out ends the sessions that the other routes are asked with. */
function inOrder(routes: ReadonlyMap<string, Route>): [string, Route][] {
  const last = ['signOutEverywhere', 'signOut']
  const place = ([, { operationId }]: [string, Route]): number => last.indexOf(operationId ?? '')
  return [...routes].toSorted((a, b) => place(a) - place(b))
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
