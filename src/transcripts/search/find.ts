import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import { highlight, isMatch, parseQuery, soughtWords, toTsquery, type Query } from '#kernel/words'
import { kinds, roles } from '../derive/index.ts'
import { sessionConditions, type SessionFilter } from '../store/read-store.ts'
import { searchedText } from './batch.ts'
import { newestCandidates } from './candidates.ts'
import { termsOf, type MessageMarks } from './part-query.ts'
import { preferLookups } from './part-store.ts'
import { rankOf } from './rank.ts'
import * as store from './text-store.ts'

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
  message: Pick<store.HitRow, 'key' | 'role' | 'kind' | 'tool_name' | 'created_at'> | null
  rank: number
  highlight: string
}

/** The newest matches that are ranked. The documentation names the number. */
const maxRanked = 1_000
/** Where texts do not match, of a phrase for example, the newest messages with all of its words that are compared. */
const maxCompared = 5_000
const maxSessionHits = 20
/** A filter by project, machine, branch or model covers at most this many sessions, the newest. */
const maxSessions = 10_000
/** A title that matches is worth more than any message. */
const titleBonus = 1

export async function find(pool: pg.Pool, asked: Search): Promise<Hit[]> {
  const query = parseQuery(asked.text)
  if (query === null) return []
  return inTransaction(pool, async (client) => {
    await preferLookups(client)
    const sessions = isForMessages(asked) ? [] : await sessionHits(client, query, asked)
    const offset = Math.max(0, asked.offset - sessions.length)
    const room = asked.limit + 1 - Math.max(0, sessions.length - asked.offset)
    const messages = room <= 0 ? [] : await messageHits(client, query, asked, offset, room)
    return [...sessions.slice(asked.offset), ...messages].slice(0, asked.limit + 1)
  })
}

const isForMessages = ({ roles: r, kinds: k, tools, sessionNo }: Search): boolean =>
  r.length + k.length + tools.length > 0 || sessionNo !== null

async function sessionHits(db: pg.ClientBase, query: Query, { filter, sort }: Search): Promise<Hit[]> {
  const values: unknown[] = []
  const conditions = sessionConditions(filter, values)
  const found = await store.findSessions(db, toTsquery(query), conditions, values, maxSessionHits)
  return found.map(({ no, rank, text }) => ({
    sessionNo: no,
    message: null,
    rank: sort === 'rank' ? rank + titleBonus : rank,
    highlight: highlight(text, query),
  }))
}

async function messageHits(
  db: pg.ClientBase,
  query: Query,
  asked: Search,
  offset: number,
  room: number,
): Promise<Hit[]> {
  const lexemes = soughtWords(query).map(({ exact, lexeme }) => exact ?? lexeme)
  const ranked = (await matches(db, query, asked, offset + room)).map(({ row, text }) => ({
    row,
    text,
    rank: asked.sort === 'rank' ? rankOf(text, lexemes) : 0,
  }))
  return ranked
    .toSorted((a, b) => b.rank - a.rank || timeOf(b.row) - timeOf(a.row) || (a.row.key < b.row.key ? -1 : 1))
    .slice(offset, offset + room)
    .map(({ row: { session_no, key, role, kind, tool_name, created_at }, rank, text }) => ({
      sessionNo: session_no,
      message: { key, role, kind, tool_name, created_at },
      rank,
      highlight: highlight(text, query),
    }))
}

const timeOf = ({ created_at: at }: store.HitRow): number => at?.getTime() ?? 0

interface Match {
  row: store.HitRow
  text: string
}

/** The newest messages that match. What the index found is compared with the texts. */
async function matches(db: pg.ClientBase, query: Query, asked: Search, needed: number): Promise<Match[]> {
  const sessions = await chosenSessions(db, asked)
  if (sessions?.length === 0) return []
  const marks = marksOf(asked)
  const terms = termsOf(query, marks)
  const isRanked = asked.sort === 'rank'
  const wanted = isRanked ? maxRanked : needed
  const enough = hasPhrase(query) ? wanted : needed
  // The pages of a ranking are of one ranking: which messages are ranked must not depend on the page.
  const rounds = isRanked && !hasPhrase(query) ? [wanted] : [wanted, maxCompared]
  let found: Match[] = []
  for (const count of rounds) {
    const candidates = await newestCandidates(db, terms, { ...asked.filter, sessions }, count)
    const rows = await store.readTexts(db, candidates)
    found = rows
      .filter((row) => isWanted(row, marks, asked.filter))
      .map((row) => ({ row, text: searchedText(row.content, row.tool_input) }))
      .filter(({ text }) => isMatch(text, query))
    if (found.length >= enough || candidates.length < count) break
  }
  return found
}

const hasPhrase = ({ alternatives }: Query): boolean =>
  alternatives.flat().some(({ words }) => words.some(({ exact }) => exact !== null))

function marksOf({ roles: r, kinds: k, tools }: Search): MessageMarks {
  return {
    roles: r.map((role) => roles.findIndex((each) => each === role)),
    kinds: k.map((kind) => kinds.findIndex((each) => each === kind)),
    tools,
  }
}

/** The index knows seconds, and what a message was when it was indexed. */
function isWanted(row: store.HitRow, marks: MessageMarks, { since, until }: SessionFilter): boolean {
  const has = <T>(wanted: readonly T[], value: T) => wanted.length === 0 || wanted.includes(value)
  const isTool = marks.tools.length === 0 || marks.tools.includes(row.tool_name ?? '')
  const isInTime =
    (since === null || (row.created_at !== null && row.created_at >= since)) &&
    (until === null || (row.created_at !== null && row.created_at < until))
  return has(marks.roles, row.role) && has(marks.kinds, row.kind) && isTool && isInTime
}

/** Null: all of them. */
async function chosenSessions(db: pg.ClientBase, { filter, sessionNo }: Search): Promise<string[] | null> {
  if (sessionNo !== null) return [sessionNo]
  const { projects, machines, branches, models } = filter
  if (projects.length + machines.length + branches.length + models.length === 0) return null
  const values: unknown[] = []
  return store.sessionNumbers(db, sessionConditions(filter, values), values, maxSessions)
}
