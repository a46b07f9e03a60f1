import type { Task } from '#embeddings/contract'
import { shellQuoted } from '../../ui/shell-quote.ts'

const longest = 500

/** The call that this page makes, for a program with a key. A long text is shortened: it is an example. */
export function curlFor(baseUrl: string, text: string, task: Task): string {
  const shown = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  const body = task === 'search_document' ? { text: shown } : { text: shown, task }
  return `curl ${baseUrl.replace(/\/$/, '')}/api/v1/embed \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuoted(JSON.stringify(body))}`
}
