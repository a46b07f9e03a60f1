import { createSearchKinds } from '../../../src/initiatives/search-kinds.ts'
import * as details from '../../../src/initiatives/store/detail-store.ts'
import * as store from '../../../src/initiatives/store/initiative-store.ts'
import type { InitiativeTables } from '../../../src/initiatives/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

export const initiatives: Sample = async ({ tables, answer }) => {
  const db = tables<InitiativeTables>()
  const row = { id, group_id: id, slug: 'slug', title: 'title', description: '', owner: null, created_by: id }
  await store.insertInitiative(db, { ...row, status: 'active' })
  await store.findInitiative(db, id, id)
  await store.findInitiative(db, id, 'slug')
  await store.updateInitiative(db, id, { title: 'title' })
  await store.deleteInitiative(db, id, id)
  await store.listInitiatives(db, id, { statuses: undefined, after: undefined, limit: 51 })
  await store.listInitiatives(db, id, { statuses: ['active'], after: { at, id }, limit: 51 })

  await details.listCriteria(db, id)
  await details.confidenceHistory(db, [id])
  await details.insertCriterion(db, { id, initiative_id: id, text: 'text', confidence: null })
  await details.lockCriterion(db, id, id)
  await details.updateCriterion(db, id, { confidence: 70 })
  await details.insertConfidenceChange(db, {
    id,
    criterion_id: id,
    before: null,
    confidence: 70,
    proposed: null,
    reason: 'reason',
    evidence: '[]',
    standup_id: null,
    changed_by: id,
    changed_by_name: 'name',
  })
  await details.listFindings(db, id)
  const finding = {
    id,
    initiative_id: id,
    text: 'text',
    source: 'source',
    url: null,
    created_by_name: 'name',
  }
  await details.insertFinding(db, finding)
  await details.listQuestions(db, id)
  const unanswered = { answer: null, answered_at: null, answered_by_name: null }
  await details.insertQuestion(db, {
    id,
    initiative_id: id,
    text: 'text',
    category: 'direction',
    ...unanswered,
  })
  await details.updateQuestion(db, id, id, { answer: 'yes', answered_at: at })
  await details.findQuestion(db, id, id)
  await details.listArtifacts(db, id)
  await details.insertArtifact(db, {
    id,
    initiative_id: id,
    type: 'meeting_notes',
    title: 'title',
    content: '',
    standup_id: id,
    approved_by: id,
    approved_by_name: 'name',
  })
  await details.listLinks(db, id)
  await details.insertLink(db, {
    id,
    initiative_id: id,
    kind: 'url',
    target: 'https://example.com',
    title: 'x',
  })
  await details.deleteDetail(db, 'criteria', id, id)
  answer([{ count: 1 }])
  await details.countDetails(db, 'criteria', id)

  await details.listDecisions(db, id)
  await details.findDecision(db, id, id)
  answer([{ id }])
  await details.insertDecision(db, {
    id,
    group_id: id,
    initiative_id: id,
    title: 'title',
    context: '',
    options: '[]',
    decision: 'decision',
    rationale: '',
    consequences: '',
    evidence: '[]',
    decided_by: 'name',
    decided_at: at,
    supersedes: null,
    standup_id: null,
  })
  await details.supersedeDecision(db, id, id, id)
  await details.setDecisionStatus(db, id, id, 'deprecated')

  for (const kind of createSearchKinds(db)) {
    await kind.changed(null, 100)
    await kind.missing([{ id, at }])
  }
}
