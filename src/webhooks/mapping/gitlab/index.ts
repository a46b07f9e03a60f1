import type { Delivery, Mapper, Mapping } from '../change.ts'
import { textAt } from '../payload.ts'
import { deployment } from './deployment.ts'
import { issue } from './issue.ts'
import { mergeRequest } from './merge-request.ts'
import { pipeline } from './pipeline.ts'
import { push } from './push.ts'

const mappers: Readonly<Record<string, (delivery: Delivery) => Mapping>> = {
  deployment,
  pipeline,
  issue,
  work_item: issue,
  merge_request: mergeRequest,
  push,
  tag_push: push,
}

export const gitlab: Mapper = (delivery) => {
  const kind = textAt(delivery.payload, 'object_kind')
  if (kind === null) return { ignored: 'The payload has no object_kind.' }
  const map = Object.hasOwn(mappers, kind) ? mappers[kind] : undefined
  return map?.(delivery) ?? { ignored: `The event "${kind}" is not used.` }
}
