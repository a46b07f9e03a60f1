import type { Task } from '#embeddings/contract'
import { shellQuoted } from '../../ui/shell-quote.ts'

const maxLength = 500

/** The request of this page as a curl command. A long text is shortened: it is an example. */
export function curlFor(baseUrl: string, text: string, task: Task): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
  const body = task === 'search_document' ? { text: shown } : { text: shown, task }
  return `curl ${baseUrl.replace(/\/$/, '')}/api/v1/embed \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuoted(JSON.stringify(body))}`
}
