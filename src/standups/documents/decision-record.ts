import type { DecisionInput, EvidenceItem } from '#initiatives/contract'
import { invalidField } from '#kernel/errors'
import type { DecisionContent } from '../tables.ts'
import {
  evidenceList,
  inside,
  keptEvidence,
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
export function writeDecision(content: DecisionContent, { decided_by, decided_at }: Decided): string {
  return [
    `**Decided by:** ${oneLine(decided_by)}  \n**Decided at:** ${decided_at}\n`,
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
  return {
    ...{ title, decision, options, decided_by, decided_at },
    context: text('context'),
    rationale: text('rationale'),
    consequences: text('consequences'),
    evidence: keptEvidence(content, evidence),
  }
}
