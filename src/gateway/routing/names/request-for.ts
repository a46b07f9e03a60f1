import type { ClientRequest } from '../../api.ts'
import { edit } from '../../passthrough/edit.ts'
import type { PlannedTarget } from '../plan.ts'
import { listFields } from './requested-names.ts'

/** The request as a target gets it: with the model's own name, and without the names of other targets. */
export function requestFor(asked: ClientRequest, target: PlannedTarget): ClientRequest {
  const { raw, body } = asked
  const isNamed = body['model'] === target.name
  if (isNamed && !Object.hasOwn(body, 'models') && !Object.hasOwn(body, 'fallbacks')) return asked
  const remove = listFields.filter(
    (field) => Object.hasOwn(body, field) && !(field === 'models' && target.passesModels),
  )
  if (isNamed && remove.length === 0) return asked
  const edits = { ...(isNamed ? {} : { set: { model: target.name } }), remove }
  const kept = Object.entries(body).filter(([field]) => !(remove as string[]).includes(field))
  return {
    ...asked,
    raw: edit(raw, body, edits),
    body: { ...Object.fromEntries(kept), model: target.name },
    model: target.name,
    shownModel: target.model,
  }
}
