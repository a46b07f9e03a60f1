import type { Decision } from '#initiatives/contract'

/** A decision record as teams keep them beside their code. */
export function decisionMarkdown(decision: Decision): string {
  const { title, status, decided_at, decided_by, context, options, rationale, consequences } = decision
  const sections: [string, string][] = [
    ['Context and problem', context],
    ['Considered options', options.map((option) => `- ${option}`).join('\n')],
    ['Decision', decision.decision],
    ['Rationale', rationale],
    ['Consequences', consequences],
  ]
  const body = sections
    .filter(([, text]) => text.trim() !== '')
    .map(([name, text]) => `## ${name}\n\n${text.trim()}`)
  const facts = [
    `- Status: ${status}`,
    `- Date: ${decided_at.slice(0, 10)}`,
    `- Decided by: ${decided_by}`,
  ].join('\n')
  return `${[`# ${title}`, facts, ...body].join('\n\n')}\n`
}
