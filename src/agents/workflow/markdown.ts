/** Text from databases and models, put into Markdown so that it stays text. */

export const section = (title: string, body: string): string => `## ${title}\n\n${body}`

/** The fence is longer than any in the text. */
export function sqlBlock(sql: string): string {
  const longest = Math.max(2, ...[...sql.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${sql}\n${fence}`
}

export const bullets = (lines: readonly string[]): string =>
  lines.map((line) => `- ${plain(line)}`).join('\n')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(plain).join(' | ')} |`).join('\n')

const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
