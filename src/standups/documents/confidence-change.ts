import type { EvidenceItem } from '#initiatives/contract'
import { invalidField } from '#kernel/errors'
import type { ConfidenceContent } from '../tables.ts'
import { evidenceList, inside, keptEvidence, oneLine, readSections, section } from './sections.ts'

/** A change of confidence as Markdown. Its first line and its reason are what approving it records. */
export function writeConfidence(content: ConfidenceContent): string {
  const estimate =
    content.confidence === content.proposed ? '' : `  \n**Proposed by the agent:** ${content.proposed}`
  return [
    `**Confidence:** ${content.before ?? 'none'} → ${content.confidence}  \n**Criterion:** ${oneLine(content.criterion)}${estimate}\n`,
    section('Reason', inside(content.rationale)),
    section('Evidence', evidenceList(content.evidence)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

const firstLine = /^\*\*Confidence:\*\*(?:.*→)?[ \t]*(\d{1,3})[ \t]*$/m
const maxReason = 4_000

/** The document with the confidence that the change starts from. */
export const withBefore = (content: string, before: number | null): string =>
  content.replace(
    firstLine,
    (line, value: string) =>
      `**Confidence:** ${before ?? 'none'} → ${value}${line.slice(line.trimEnd().length)}`,
  )

/** The change that a document states; the document may have been edited. */
export function readConfidence(
  content: string,
  evidence: readonly EvidenceItem[],
): { confidence: number; reason: string; evidence: EvidenceItem[] } {
  const confidence = Number(firstLine.exec(content)?.[1] ?? Number.NaN)
  if (!(confidence >= 0 && confidence <= 100))
    throw invalidField('content', 'must have the line "**Confidence:** … → N" with N from 0 to 100')
  const reason = readSections(content).get('reason') ?? ''
  if (reason === '' || reason.length > maxReason)
    throw invalidField(
      'content',
      `must give the reason under "## Reason", in at most ${maxReason} characters`,
    )
  return { confidence, reason, evidence: keptEvidence(content, evidence) }
}
