import type { HookKind } from '../contract.ts'
import { alerts } from './alerts/index.ts'
import type { Mapper } from './change.ts'
import { generic } from './generic.ts'
import { github } from './github/index.ts'
import { gitlab } from './gitlab/index.ts'

export const mappers: Readonly<Record<HookKind, Mapper>> = {
  github,
  gitlab,
  alertmanager: alerts,
  grafana: alerts,
  generic,
}
