import { Target } from 'lucide-react'
import { call } from '../../api/client.ts'
import type { Find } from '../../shell/feature.ts'

/** Active initiatives, which a stand-up can be about. */
export const findInitiatives: Find = async (text) => {
  const { data } = await call('GET', '/api/initiatives', { query: { status: 'active', limit: 100 } })
  return data
    .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
    .map(({ id, title }) => ({
      ...{ id, label: title, kind: 'Initiative', icon: Target },
      go: { to: `/initiatives/${id}/standup` },
    }))
}
