import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import { assistantIds } from '../assistants/index.ts'
import { kinds, roles } from '../derive/index.ts'
import { sessionConditions, type SessionFilter } from '../store/read-store.ts'
import * as store from '../store/search-store.ts'
import { excerptOf, markedHtml, marks, queryWords } from './excerpt.ts'
import { rankedCharacters, rankOf } from './rank.ts'

export interface Search {
  text: string
  filter: SessionFilter
  roles: readonly string[]
  kinds: readonly string[]
  tools: readonly string[]
  sessionNo: string | null
  sort: 'rank' | 'time'
  offset: number
  limit: number
}

export interface Hit {
  sessionNo: string
  message: Omit<store.HitRow, 'text' | 'session_no'> | null
  rank: number
  highlight: string
}

/** So many matches are looked at; of a common word, the newest. */
const maxCandidates = 2_000
/** So many are enough to choose the best of. */
const maxRanked = 300
const maxSessionHits = 20
/** A filter by session is given to the index as their numbers, up to so many. */
const maxSessions = 2_000
/** A title that matches is worth more than any message. */
const titleBonus = 1

/** Returns one more than the limit when there are more. */
export async function search(pool: pg.Pool, asked: Search): Promise<Hit[]> {
  return inTransaction(pool, async (client) => {
    const { query, words } = await store.parseQuery(client, queryWords(asked.text))
    if (query === '') return []
    await store.preferIndex(client)
    const sessions = isForMessages(asked) ? [] : await sessionHits(client, query, words, asked)
    const wanted = { offset: Math.max(0, asked.offset - sessions.length), sessions }
    const messages = await messageHits(client, query, words, asked, wanted.offset, sessions.length)
    return [...sessions.slice(asked.offset), ...messages].slice(0, asked.limit + 1)
  })
}

const isForMessages = ({ roles: r, kinds: k, tools, sessionNo }: Search): boolean =>
  r.length + k.length + tools.length > 0 || sessionNo !== null

async function sessionHits(
  db: pg.ClientBase,
  query: string,
  words: readonly string[],
  { filter, sort }: Search,
): Promise<Hit[]> {
  const values: unknown[] = []
  const conditions = sessionConditions(filter, values)
  const found = await store.findSessions(db, query, conditions, values, maxSessionHits)
  const highlights = await store.markWords(
    db,
    query,
    found.map(({ text }) => excerptOf(text, words)),
    marks,
  )
  return found.map(({ no, rank }, index) => ({
    sessionNo: no,
    message: null,
    rank: sort === 'rank' ? rank + titleBonus : rank,
    highlight: markedHtml(highlights[index] ?? ''),
  }))
}

async function messageHits(
  db: pg.ClientBase,
  query: string,
  words: readonly string[],
  asked: Search,
  offset: number,
  shown: number,
): Promise<Hit[]> {
  const newest = await newestCandidates(db, query, asked)
  const ranked =
    asked.sort === 'rank'
      ? await rank(db, words, newest.slice(0, maxRanked))
      : newest.map((each) => ({ ...each, rank: 0 }))
  const room = asked.limit + 1 - Math.max(0, shown - asked.offset)
  const page = ranked.slice(offset, offset + Math.max(0, room))
  if (page.length === 0) return []
  const rows = new Map((await store.readHits(db, page)).map((row) => [`${row.session_no} ${row.key}`, row]))
  const hits = page.flatMap((each) => {
    const row = rows.get(`${each.session_no} ${each.key}`)
    return row === undefined ? [] : [{ row, rank: each.rank }]
  })
  const highlights = await store.markWords(
    db,
    query,
    hits.map(({ row }) => excerptOf(row.text ?? '', words)),
    marks,
  )
  return hits.map(({ row: { session_no, text: _text, ...message }, rank }, index) => ({
    sessionNo: session_no,
    message,
    rank,
    highlight: markedHtml(highlights[index] ?? ''),
  }))
}

type Ranked = store.Candidate & { rank: number }

/** The best first; of equal ones the newest. */
async function rank(
  db: pg.ClientBase,
  words: readonly string[],
  candidates: readonly store.Candidate[],
): Promise<Ranked[]> {
  const rows = await store.readBeginnings(db, candidates, rankedCharacters)
  return rows
    .map(({ text, ...row }) => ({ ...row, rank: rankOf(text ?? '', words) }))
    .toSorted((a, b) => b.rank - a.rank || timeOf(b) - timeOf(a) || (a.key < b.key ? -1 : 1))
}

const timeOf = ({ created_at: at }: store.Candidate): number => at?.getTime() ?? 0

/** Matches, newest first. A rare word's are all found at once; a common word's are looked for by days. */
async function newestCandidates(db: pg.ClientBase, query: string, asked: Search): Promise<store.Candidate[]> {
  const own = await ownMarks(db, asked)
  if (own === null) return []
  const find = (window: string) => {
    const all = window === '' ? own : `${own} & (${window})`
    return store.findCandidates(db, query, all, asked.filter, maxCandidates + 1)
  }
  let found = await find('')
  if (found.length > maxCandidates) {
    const wanted = Math.max(maxRanked, asked.offset + asked.limit + 1)
    for (const window of windowsBack(await lastDay(db, asked))) {
      found = await find(window)
      if (found.length >= wanted) break
    }
  }
  return found.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.key < b.key ? -1 : 1))
}

async function lastDay(db: pg.ClientBase, { filter }: Search): Promise<number> {
  const newest = await store.newestDay(db, filter.group)
  return filter.until ? Math.min(newest, Math.floor(filter.until.getTime() / 86_400_000)) : newest
}

/** A day, a week, two months, half a year, two years, ten. */
function windowsBack(last: number): string[] {
  const days = (count: number) => marksOf('d', last, count)
  const months = (count: number) => marksOf('m', Math.floor(last / 32), count)
  return [days(1), days(7), months(2), months(6), months(24), months(120)]
}

const marksOf = (kind: string, last: number, count: number): string =>
  Array.from({ length: count }, (_, index) => mark(kind, last - index)).join(' | ')

/** What the filter says of messages, as marked words of the index; null when nothing can match. */
async function ownMarks(db: pg.ClientBase, asked: Search): Promise<string | null> {
  const { filter } = asked
  const parts = [mark('g', filter.group)]
  const anyOf = (kind: string, values: readonly (string | number)[]) => {
    if (values.length > 0) parts.push(`(${values.map((value) => mark(kind, value)).join(' | ')})`)
  }
  anyOf(
    'a',
    filter.assistants.map((id) => assistantIds.findIndex((each) => each === id)),
  )
  anyOf(
    'r',
    asked.roles.map((role) => roles.findIndex((each) => each === role)),
  )
  anyOf(
    'k',
    asked.kinds.map((kind) => kinds.findIndex((each) => each === kind)),
  )
  anyOf('t', asked.tools)
  const sessions = await chosenSessions(db, asked)
  if (sessions !== null) {
    if (sessions.length === 0) return null
    anyOf('s', sessions)
  }
  return parts.join(' & ')
}

/** Null: all of them. */
async function chosenSessions(db: pg.ClientBase, { filter, sessionNo }: Search): Promise<string[] | null> {
  if (sessionNo !== null) return [sessionNo]
  const { projects, machines, branches, models } = filter
  if (projects.length + machines.length + branches.length + models.length === 0) return null
  const values: unknown[] = []
  return store.sessionNumbers(db, sessionConditions(filter, values), values, maxSessions)
}

function mark(kind: string, value: string | number): string {
  return `'\u0002${kind}${String(value).replaceAll(/['\\]/g, '$&$&')}'`
}
