import { Bot } from 'lucide-react'
import { modelsQuery } from '../../api/models.ts'
import type { Find } from '../../shell/feature.ts'

/** Models by their names, those that begin with the text first. */
export const findModels: Find = async (text, { groupId, queryClient }) => {
  const wanted = text.toLowerCase()
  const models = await queryClient.ensureQueryData(modelsQuery(groupId))
  return models
    .filter(({ id }) => id.toLowerCase().includes(wanted))
    .sort((one, other) => one.id.toLowerCase().indexOf(wanted) - other.id.toLowerCase().indexOf(wanted))
    .map(({ id }) => ({
      id,
      label: id,
      kind: 'Model',
      icon: Bot,
      go: { to: '/playground', search: { model: id } },
    }))
}
