import { CircleDot, Target } from 'lucide-react'
import { call } from '../../api/client.ts'
import type { Find } from '../../shell/feature.ts'

const looks: Record<string, { kind: string; icon: typeof Target }> = {
  initiative: { kind: 'Initiative', icon: Target },
  ticket: { kind: 'Ticket', icon: CircleDot },
}

/** Initiatives and tickets whose titles have the words; what is only close in meaning is for the search page. */
export const findTitles: Find = async (text) => {
  const { results } = await call('POST', '/api/v1/search', {
    body: { query: text, kinds: Object.keys(looks), limit: 20 },
  })
  const words = text.toLowerCase().split(/\s+/)
  return results.flatMap(({ kind, id, title, url }) => {
    const look = looks[kind]
    const hasWords = words.every((word) => title.toLowerCase().includes(word))
    return look && hasWords ? [{ id, label: title, ...look, go: { to: url } }] : []
  })
}
