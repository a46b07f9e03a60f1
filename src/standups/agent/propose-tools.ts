import { z } from 'zod'
import { confidence, questionCategories, type EvidenceItem } from '#initiatives/contract'
import { storableJson } from '#kernel/db'
import { invalid } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import type { Link } from '#tools'
import { insertProposal } from '../store/proposal-store.ts'
import type { ConfidenceContent, DecisionContent, ProposalRow } from '../tables.ts'
import { replaceOthers } from '../replace-proposals.ts'
import { proposalJson } from '../json.ts'
import { defineTool, type StandupTool, type ToolContext } from './tool.ts'

const filled = (most: number) => z.string().trim().min(1).max(most)
const evidence = z
  .array(
    z.strictObject({
      url: z.string().min(1).max(2_000).describe('An address that the data or a tool gave you.'),
      quote: z.string().max(1_000).optional(),
    }),
  )
  .max(20)
  .default([])

/** An address that the agent has not read is one that it made up. */
function cited(given: z.infer<typeof evidence>, known: ReadonlyMap<string, Link>): EvidenceItem[] {
  return given.map(({ url, quote }) => {
    const link = known.get(url)
    if (!link)
      throw invalid(`You have not read ${url.slice(0, 200)}. Cite only addresses that you were given.`)
    const title = link.title.trim().slice(0, 300) || url.slice(0, 300)
    return { title, url, ...(quote !== undefined && { quote }) }
  })
}

/** A decision that is superseded stays so: what replaces it now is its successor. */
function replaced({ decisions }: ToolContext['initiative'], id: string): { id: string; title: string } {
  const decision = decisions.find((each) => each.id === id)
  if (!decision) throw invalid('This initiative has no decision with that ID. Use an ID from its data.')
  if (decision.status === 'superseded')
    throw invalid(
      `That decision was superseded by ${decision.superseded_by ?? 'another'}. Name the newest one.`,
    )
  return { id, title: decision.title }
}

/** Keeps a proposal; nothing else changes. */
async function propose(
  { within }: ToolContext,
  kind: ProposalRow['kind'],
  content: DecisionContent | ConfidenceContent,
): Promise<string> {
  return within(async ({ transaction, session, add }) => {
    const json = storableJson(content)
    const values = { id: newId(), session_id: session.id, kind, proposed: json, content: json }
    const row = await insertProposal(transaction, values)
    await add({ type: 'proposal', proposal: proposalJson(row) })
    await replaceOthers({ transaction, add }, row)
    return row.id
  })
}

const waits = 'The person now accepts, edits or rejects it. Nothing is saved yet.'

/** What the agent may hand to the person. */
export const proposeTools: readonly StandupTool[] = [
  defineTool({
    name: 'propose_decision',
    description: 'Puts a decision that the person has made into a record for them to check.',
    input: z.strictObject({
      title: filled(300),
      context: z.string().max(10_000).default('').describe('The situation and the question.'),
      options: z.array(filled(2_000)).max(20).default([]).describe('What was considered.'),
      decision: filled(10_000),
      rationale: z.string().max(10_000).default('').describe("The person's reasons."),
      consequences: z.string().max(10_000).default(''),
      evidence,
      supersedes: z
        .string()
        .max(100)
        .optional()
        .describe('The ID of the decision of this initiative that this one replaces, where it replaces one.'),
    }),
    async run({ evidence: given, supersedes, ...content }, context) {
      const id = await propose(context, 'decision', {
        ...content,
        evidence: cited(given, context.known),
        supersedes: supersedes === undefined ? null : replaced(context.initiative, supersedes),
      })
      return { told: `Proposal ${id}. ${waits}`, shown: `Proposed the decision ${content.title}` }
    },
  }),
  defineTool({
    name: 'propose_confidence',
    description: 'Proposes how sure one can be that a criterion will be met.',
    input: z.strictObject({
      criterion_id: z.string().max(100).describe('The ID of a criterion of this initiative.'),
      confidence: confidence.describe('From 0 to 100.'),
      reason: filled(4_000),
      evidence,
    }),
    async run({ criterion_id, confidence: value, reason, evidence: given }, context) {
      const criterion = context.initiative.criteria.find(({ id }) => id === criterion_id)
      if (!criterion) throw invalid('This initiative has no criterion with that ID. Use an ID from its data.')
      const id = await propose(context, 'confidence', {
        criterion_id,
        criterion: criterion.text,
        before: criterion.confidence,
        confidence: value,
        proposed: value,
        rationale: reason,
        evidence: cited(given, context.known),
      })
      return { told: `Proposal ${id}. ${waits}`, shown: `Proposed a confidence of ${value}` }
    },
  }),
  defineTool({
    name: 'ask_question',
    description: 'Asks the person for a decision or a clarification.',
    input: z.strictObject({
      category: z.enum(questionCategories),
      content: filled(2_000),
      options: z
        .array(filled(300))
        .max(6)
        .default([])
        .describe('Answers to choose from, where there are some.'),
      question_id: z
        .string()
        .max(100)
        .optional()
        .describe('The ID of an open question of the initiative, where it is one.'),
    }),
    run: ask,
  }),
]

interface Asked {
  category: (typeof questionCategories)[number]
  content: string
  options: string[]
  question_id?: string | undefined
}

async function ask({ question_id: id, ...question }: Asked, { add, initiative }: ToolContext) {
  if (id !== undefined && !initiative.open_questions.some((open) => open.id === id))
    throw invalid('This initiative has no question with that ID. Leave question_id out.')
  await add({ type: 'question', question_id: id ?? newId(), ...question })
  const told = 'The person sees the question. End your message now and wait for the answer.'
  return { told, shown: `Asked about ${question.category}` }
}
