import { ScrollText } from 'lucide-react'
import type { Find } from '../../shell/feature.ts'

/** A request by its id, or by how the id begins. */
export const findRequests: Find = async (text) => {
  const [, digits] = /^(?:req_)?([0-9a-f]{8,32})$/i.exec(text.replaceAll('-', '')) ?? []
  if (digits === undefined) return []
  const request = `req_${digits.toLowerCase()}`
  const search = digits.length === 32 ? { request } : { q: request }
  return [{ id: request, label: request, kind: 'Request', icon: ScrollText, go: { to: '/logs', search } }]
}
