import { z } from 'zod'
import type { DecisionInput, EvidenceItem } from '#initiatives/contract'
import { invalidField } from '#kernel/errors'
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

/** A decision record as Markdown. What it says under its headings is what approving it records. */
export function writeDecision(
  initiativeId: string,
  content: DecisionContent,
  { decided_by, decided_at }: Decided,
): string {
  const { supersedes } = content
  const facts = [
    `**Decided by:** ${oneLine(decided_by)}`,
    `**Decided at:** ${decided_at}`,
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

const limits = { decision: 20_000, option: 4_000, options: 20 }

/** The decision that a document states; the document may have been edited. */
export function readDecision(
  title: string,
  content: string,
  { evidence, decided_by, decided_at }: Decided & { evidence: readonly EvidenceItem[] },
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
  const supersedes = readSuperseded(sections.get('') ?? '')
  return {
    ...{ title, decision, options, decided_by, decided_at },
    ...(supersedes !== undefined && { supersedes }),
    context: text('context'),
    rationale: text('rationale'),
    consequences: text('consequences'),
    evidence: keptEvidence(content, evidence),
  }
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
