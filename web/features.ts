import { account } from './features/account/feature.ts'
import { docs } from './features/docs/feature.ts'
import { embeddings } from './features/embeddings/feature.ts'
import { groups } from './features/groups/feature.ts'
import { home } from './features/home/feature.ts'
import { keys } from './features/keys/feature.ts'
import { logs } from './features/logs/feature.ts'
import { playground } from './features/playground/feature.ts'
import { providers } from './features/providers/feature.ts'
import { search } from './features/search/feature.ts'
import { usage } from './features/usage/feature.ts'

/** The parts that are there, in the order in which they stand in their sections. A new part adds one line. */
export const features = [
  home,
  search,
  providers,
  keys,
  playground,
  embeddings,
  logs,
  usage,
  docs,
  groups,
  account,
]
