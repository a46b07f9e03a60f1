import { z } from 'zod'
import type { DecisionInput, EvidenceItem } from '#initiatives/contract'
import { invalidField } from '#kernel/errors'
import { fields } from '#records/contract'
import type { DecisionContent } from '../tables.ts'
import {
  evidenceList,
  inside,
  keptEvidence,
  link,
  oneLine,
  readList,
  readSections,
  section,
  writeList,
} from './sections.ts'

export interface Decided {
  decided_by: string
  decided_at: string
}

/**
 * A decision record as Markdown. What it says under its headings is what approving it records. Null: nobody has decided
 * yet, so the document is a proposal.
 */
export function writeDecision(
  initiativeId: string,
  content: DecisionContent,
  decided: Decided | null,
): string {
  const { supersedes } = content
  const facts = [
    ...(decided ? decidedLines(decided) : ['**Proposed by:** the agent. Nobody has decided yet.']),
    ...(supersedes
      ? [
          `**Supersedes:** ${link(supersedes.title, `/initiatives/${initiativeId}?decision=${supersedes.id}`)}`,
        ]
      : []),
  ]
  return [
    `${facts.join('  \n')}\n`,
    section('Context', inside(content.context)),
    section('Options', writeList(content.options)),
    section('Decision', inside(content.decision)),
    section('Rationale', inside(content.rationale)),
    section('Consequences', inside(content.consequences)),
    section('Evidence', evidenceList(content.evidence)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const decidedLines = ({ decided_by, decided_at }: Decided): string[] => [
  `**Decided by:** ${oneLine(decided_by)}`,
  `**Decided at:** ${decided_at}`,
]

/** The document with who decided and when, where it does not say so: a proposal is decided by its approval. */
export function asDecided(content: string, decided: Decided): string {
  const facts = readSections(content).get('') ?? ''
  const [by = '', at = ''] = decidedLines(decided)
  if (/^\*\*Decided by:\*\*/m.test(facts))
    return /^\*\*Decided at:\*\*/m.test(facts)
      ? content
      : replaceLine(content, /^\*\*Decided by:\*\*.*$/m, (line) => `${line}  \n${at}`)
  if (/^\*\*Proposed by:\*\*/m.test(facts))
    return replaceLine(content, /^\*\*Proposed by:\*\*.*$/m, () => `${by}  \n${at}`)
  return `${by}  \n${at}\n\n${content}`
}

/** Spaces at the end of the line stay. */
function replaceLine(content: string, expression: RegExp, change: (line: string) => string): string {
  return content.replace(expression, (line) => {
    const bare = line.trimEnd()
    return change(bare) + line.slice(bare.length)
  })
}

const limits = { decision: 20_000, option: 4_000, options: 20, name: 200 }

/** The decision that a document states; the document may have been edited. */
export function readDecision(
  title: string,
  content: string,
  evidence: readonly EvidenceItem[],
): DecisionInput {
  const sections = readSections(content)
  const text = (name: string): string => {
    const body = sections.get(name) ?? ''
    if (body.length > limits.decision)
      throw invalidField('content', `has more than ${limits.decision} characters under "${name}"`)
    return body
  }
  const decision = text('decision')
  if (decision === '')
    throw invalidField('content', 'must say what was decided under the heading "## Decision"')
  const options = readList(text('options'))
  if (options.length > limits.options || options.some((option) => option.length > limits.option))
    throw invalidField(
      'content',
      `must have at most ${limits.options} options of ${limits.option} characters`,
    )
  const facts = sections.get('') ?? ''
  const supersedes = readSuperseded(facts)
  return {
    ...{ title, decision, options, ...readDecided(facts) },
    ...(supersedes !== undefined && { supersedes }),
    context: text('context'),
    rationale: text('rationale'),
    consequences: text('consequences'),
    evidence: keptEvidence(content, evidence),
  }
}

/** Who decided and when, as the document says. */
function readDecided(facts: string): Decided {
  const decided_by = /^\*\*Decided by:\*\*(.*)$/m.exec(facts)?.[1]?.trim() ?? ''
  if (decided_by === '' || decided_by.length > limits.name)
    throw invalidField(
      'content',
      `must say who decided after "**Decided by:**", in at most ${limits.name} characters`,
    )
  const decided_at = /^\*\*Decided at:\*\*(.*)$/m.exec(facts)?.[1]?.trim() ?? ''
  if (!fields.timeInput.safeParse(decided_at).success)
    throw invalidField('content', 'must have a time such as 2026-11-16T09:30:00Z after "**Decided at:**"')
  return { decided_by, decided_at }
}

/** Undefined: the document has no such line. */
function readSuperseded(facts: string): string | undefined {
  const line = /^\*\*Supersedes:\*\*(.*)$/m.exec(facts)?.[1]
  if (line === undefined) return undefined
  const id = /[?&]decision=([0-9a-f-]+)/.exec(line)?.[1]
  if (!z.uuid().safeParse(id).success)
    throw invalidField(
      'content',
      'must name a decision after "Supersedes:" by a link to it, or lack the line',
    )
  return id
}
