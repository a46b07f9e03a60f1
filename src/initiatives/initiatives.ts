import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { cutPage, placeCursor, readPlace } from '#kernel/paging'
import { newId } from '#kernel/uuid'
import type { Author } from './author.ts'
import type { Initiative, InitiativeChange, InitiativeInput, InitiativeQuery } from './contract.ts'
import { insertFirstDetails } from './insert-details.ts'
import * as details from './store/detail-store.ts'
import * as store from './store/initiative-store.ts'
import type { Db, DbTransaction, Queries } from './tables.ts'

export interface InitiativesDeps {
  db: Db
  events: Events
}

/** Initiatives of a group, found by ID or slug. */
export function createInitiatives({ db, events }: InitiativesDeps) {
  function tell(row: store.InitiativeRow, by: string | null, what: string): void {
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by,
      title: `Initiative ${what}: ${row.title}`,
      metadata: { initiative_id: row.id, slug: row.slug },
    })
  }

  async function find(groupId: string, idOrSlug: string): Promise<store.InitiativeRow> {
    const row = await store.findInitiative(db, groupId, idOrSlug)
    if (!row) throw notFound('The initiative')
    return row
  }

  return {
    find,
    tell,
    async list(groupId: string, { status, limit, cursor }: InitiativeQuery) {
      const after = readPlace(cursor)
      const rows = await store.listInitiatives(db, groupId, { statuses: status, after, limit: limit + 1 })
      return cutPage(rows, limit, ({ created_at, id }) => placeCursor(created_at, id))
    },
    async get(groupId: string, idOrSlug: string): Promise<Initiative> {
      return whole(db, await find(groupId, idOrSlug))
    },
    async create(groupId: string, author: Author, input: InitiativeInput): Promise<Initiative> {
      const { group_id: _chosen, criteria, findings, open_questions, ...fields } = input
      const row = await db.transaction().execute(async (transaction) => {
        const made = await insertWithSlug(transaction, { groupId, author }, fields)
        const first = { criteria, findings, open_questions }
        await insertFirstDetails(transaction, { initiativeId: made.id, author }, first)
        return made
      })
      tell(row, author.userId, 'created')
      return whole(db, row)
    },
    async change(
      groupId: string,
      author: Author,
      idOrSlug: string,
      change: InitiativeChange,
    ): Promise<Initiative> {
      const { id } = await find(groupId, idOrSlug)
      const row = await store.updateInitiative(db, id, change).catch((error: unknown) => {
        throw (error as { code?: string }).code === '23505' ? takenSlug(change.slug ?? '') : error
      })
      if (!row) throw notFound('The initiative')
      tell(row, author.userId, 'changed')
      return whole(db, row)
    },
    async remove(groupId: string, author: Author, idOrSlug: string): Promise<void> {
      const row = await find(groupId, idOrSlug)
      if (!(await store.deleteInitiative(db, groupId, row.id))) throw notFound('The initiative')
      tell(row, author.userId, 'deleted')
    },
  }
}

export type Initiatives = ReturnType<typeof createInitiatives>

/** A slug that was not chosen gives way to one that exists. */
async function insertWithSlug(
  transaction: DbTransaction,
  { groupId, author }: { groupId: string; author: Author },
  {
    slug: chosen,
    owner = null,
    ...rest
  }: Omit<InitiativeInput, 'group_id' | 'criteria' | 'findings' | 'open_questions'>,
): Promise<store.InitiativeRow> {
  const slug = chosen ?? slugOf(rest.title)
  const values = { ...rest, id: newId(), group_id: groupId, created_by: author.userId, owner }
  const row =
    (await store.insertInitiative(transaction, { ...values, slug })) ??
    (chosen === undefined
      ? await store.insertInitiative(transaction, {
          ...values,
          slug: `${slug.slice(0, 54)}-${values.id.slice(-8)}`,
        })
      : undefined)
  if (!row) throw takenSlug(slug)
  return row
}

const takenSlug = (slug: string): Fault =>
  new Fault(faults.conflict, `An initiative with the slug ${slug} already exists.`, { param: 'slug' })

/** The words of a title, as an address. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/(?<!-)-+$/, '')
  return words === '' ? 'initiative' : words
}

export async function whole(db: Queries, row: store.InitiativeRow): Promise<Initiative> {
  const [criteria, findings, questions, artifacts, decisions, links] = await Promise.all([
    details.listCriteria(db, row.id),
    details.listFindings(db, row.id),
    details.listQuestions(db, row.id),
    details.listArtifacts(db, row.id),
    details.listDecisions(db, row.id),
    details.listLinks(db, row.id),
  ])
  const history = await details.confidenceHistory(
    db,
    criteria.map(({ id }) => id),
  )
  const { created_by: _by, ...fields } = row
  return toJson({
    ...fields,
    criteria: criteria.map(({ id, text, confidence, updated_at }) => ({
      id,
      text,
      confidence,
      updated_at,
      history: history.filter((change) => change.criterion_id === id).map(historyEntry),
    })),
    findings,
    open_questions: questions.map(({ initiative_id: _i, answered_by_name: _n, ...question }) => question),
    artifacts,
    decisions: decisions.map(
      ({ initiative_id: _i, group_id: _g, created_at: _c, updated_at: _u, ...decision }) => decision,
    ),
    links,
  }) as Initiative
}

function historyEntry({
  id: _id,
  criterion_id: _c,
  changed_by: _by,
  changed_by_name,
  ...change
}: details.ConfidenceChangeRow): object {
  return { ...change, changed_by: changed_by_name }
}

/** Times as ISO text, at any depth. */
export function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
