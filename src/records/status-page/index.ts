import { requireRole, type Membership } from '#kernel/auth'
import { BoundedCache } from '#kernel/cache'
import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import type { Author } from '../record-kind.ts'
import type { Db } from '../record-store.ts'
import type { PublicStatus, StatusPage, StatusPageInput } from '../shapes/status-page.ts'
import { readPublicStatus } from './public-status.ts'
import { findEnabledPage, findPage, savePage, type PageRow } from './store.ts'

/** Everyone may ask, so the database is asked at most this often per page. */
const freshMs = 10_000
const maxPages = 1_000

interface Kept {
  status: Promise<PublicStatus | null>
  until: number
}

export function createStatusPages({ db, events }: { db: Db; events: Events }) {
  const kept = new BoundedCache<string, Kept>('status_pages', maxPages)

  async function read(slug: string): Promise<PublicStatus | null> {
    const page = await findEnabledPage(db, slug)
    return page ? readPublicStatus(db, page, new Date()) : null
  }

  function keep(slug: string): Promise<PublicStatus | null> {
    const known = kept.get(slug)
    if (known && known.until > performance.now()) return known.status
    const status = read(slug)
    const entry = { status, until: performance.now() + freshMs }
    kept.set(slug, entry)
    // A failure is not kept: the next request tries again.
    status.catch(() => (entry.until = 0))
    return status
  }

  return {
    /** What this process keeps may be old. Others notice after the time that a page is kept. */
    forget: () => kept.clear(),

    async settings(groupId: string): Promise<StatusPage> {
      return toSettings(await findPage(db, groupId))
    },

    async save(author: Author, group: Membership, input: StatusPageInput): Promise<StatusPage> {
      requireRole(group, 'owner')
      const row = await savePage(db, group.id, input).catch((error: unknown) => {
        if ((error as { code?: string }).code !== '23505') throw error
        throw new Fault(faults.conflict, `The address /status/${input.slug} is taken.`, { param: 'slug' })
      })
      kept.clear()
      events.emit('activity', {
        ...configActivity,
        groupId: group.id,
        by: author.userId,
        title: row.is_enabled ? 'Status page published' : 'Status page switched off',
        message: `/status/${row.slug}`,
        metadata: { slug: row.slug, is_enabled: row.is_enabled },
      })
      return toSettings(row)
    },

    /** For everyone. */
    async show(slug: string): Promise<PublicStatus> {
      const status = await keep(slug)
      if (!status) throw notFound('The status page')
      return status
    },
  }
}

function toSettings(row: PageRow | undefined): StatusPage {
  if (!row) return { slug: null, title: '', description: '', is_enabled: false, updated_at: null }
  const { slug, title, description, is_enabled, updated_at } = row
  return { slug, title, description, is_enabled, updated_at: updated_at.toISOString() }
}
