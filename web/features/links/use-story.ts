import { useQuery } from '@tanstack/react-query'
import type { Step, ThingRef } from '#links/contract'
import { pageAddress } from '../../ui/page-address.ts'
import type { Moment } from '../../ui/thing/moments.ts'
import { whyQuery } from './link-queries.ts'
import { typeNames } from './link-words.ts'

/** What led to a thing and what came of it: the steps, and those of them that have a time as moments. */
export function useStory(groupId: string, thing: ThingRef): { things: Step['thing'][]; moments: Moment[] } {
  const up = useQuery(whyQuery(groupId, thing, 'up')).data ?? []
  const down = useQuery(whyQuery(groupId, thing, 'down')).data ?? []
  // The first step of each is the thing itself.
  const things = [...up.slice(1), ...down.slice(1)].map((step) => step.thing)
  const moments = things.flatMap(({ at, type, title, url }) =>
    at === null
      ? []
      : [{ at, title, kind: typeNames[type], href: url === null ? undefined : pageAddress(url) }],
  )
  return { things, moments }
}
