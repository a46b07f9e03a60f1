import { faults } from '#kernel/errors'
import { tooManyCauses } from '../../src/kernel/errors/too-many.ts'
import { errorTexts, ownCodes } from './error-texts.ts'

const intro = `# Error codes

Every error has this body, and the header \`X-Request-ID\`:

\`\`\`json
{ "error": { "message": "…", "type": "…", "param": null, "code": "…" } }
\`\`\`

\`message\` is for people, \`code\` for programs, and \`param\` names the field that is not valid, if one is. \`/v1/messages\`, \`/v1/messages/count_tokens\` and every path asked with \`anthropic-version\` return errors as Anthropic does instead: \`{ "type": "error", "error": { "type", "message", "details" }, "request_id" }\`, with the same status (529 for an overloaded provider). An error that a provider returned keeps its status where it means the same to the client, and \`error.upstream\` has the provider's own \`status\`, \`type\`, \`code\`, \`param\` and \`details\`; see [compatibility.md](compatibility.md).`

/** docs/errors.md: every code, and every cause of 429. */
export function errorPage(): string {
  const kinds = Object.entries(errorTexts).map(([name, text]) => ({
    ...faults[name as keyof typeof faults],
    ...text,
  }))
  const own = Object.entries(ownCodes).map(([code, { of, ...text }]) => ({ ...faults[of], code, ...text }))
  const rows = [...kinds, ...own]
    .toSorted((a, b) => a.status - b.status)
    .map(
      ({ code, status, type, when, next }) => `| \`${code}\` | ${status} | \`${type}\` | ${when} | ${next} |`,
    )
  const limits = Object.values(tooManyCauses).map(({ when }) => `- ${when}`)
  return [
    intro,
    '',
    '| Code | Status | Type | When it happens | What to do next |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Limits',
    '',
    '`rate_limit` has one of these causes, besides the limit of a provider:',
    '',
    ...limits,
    '',
  ].join('\n')
}
