import { createStandupSearchKind } from '../../../src/standups/search-kind.ts'
import * as drafts from '../../../src/standups/store/draft-store.ts'
import * as events from '../../../src/standups/store/event-store.ts'
import * as proposals from '../../../src/standups/store/proposal-store.ts'
import * as sessions from '../../../src/standups/store/session-store.ts'
import type { DbTransaction, StandupTables } from '../../../src/standups/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

export const standups: Sample = async ({ tables, answer }) => {
  const db = tables<StandupTables>()
  const transaction = db as unknown as DbTransaction
  await sessions.insertSession(db, {
    ...{ id, group_id: id, initiative_id: id, title: 'title', status: 'open', model: 'my-model' },
    ...{ brief: '{}', started_by: id, started_by_name: 'name', is_waiting: true },
  })
  await sessions.findOpen(db, id)
  await sessions.findLast(db, id)
  await sessions.findSession(db, id, id)
  await sessions.listSessions(db, id, { after: undefined, limit: 51 })
  await sessions.listSessions(db, id, { after: { at, id }, limit: 51 })
  await sessions.lastStarts(db, [id])
  await sessions.lastEnd(db, id)
  await sessions.sessionStarts(db, id)
  await sessions.lockSession(transaction, id)
  await sessions.isThere(db, id)
  await sessions.setInvited(transaction, id, [{ user_id: id, name: 'name' }])
  await sessions.noteMessage(transaction, id)
  await sessions.noteActivity(transaction, id)
  await sessions.claimTurn(db, id, id)
  await sessions.renewWork(db, id, id)
  await sessions.clearWork(transaction, id)
  await sessions.takeForEnd(transaction, id, id)
  await sessions.setEnded(transaction, id, 'person')
  await sessions.abandoned(db)
  await sessions.waiting(db)
  await sessions.idle(db, 24)
  await sessions.isIdle(transaction, id, 24)
  await sessions.announceInterrupt(db, id)

  answer([{ seq: '1', at }], [], [])
  await events.insertEvent(transaction, id, 'message', {})
  await events.readEvents(db, id, 0, 200)
  await events.takeDeltas(transaction, id)
  await events.countEvents(db, id, 'research')

  answer([{ id }])
  await proposals.insertProposal(transaction, {
    ...{ id, session_id: id, kind: 'decision', proposed: '{}', content: '{}' },
  })
  await proposals.listProposals(db, id)
  await proposals.findProposal(db, id, id)
  answer([{ id }])
  await proposals.updateProposal(transaction, id, { status: 'accepted', settled_at: at })

  answer([{ id }])
  await drafts.insertDraft(transaction, {
    ...{ id, session_id: id, type: 'meeting_notes', proposal_id: null, effect: '{}' },
    ...{ drafted_title: 'title', drafted_content: '', title: 'title', content: '' },
  })
  await drafts.listDrafts(db, id)
  await drafts.findDraft(db, id, id)
  await drafts.settleDraft(transaction, id, { status: 'approved' })
  await drafts.waitingDrafts(db, [id])

  const kind = createStandupSearchKind(db)
  await kind.changed(null, 100)
  await kind.missing([{ id, at }])
}
