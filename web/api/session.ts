import { useSyncExternalStore } from 'react'
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Me, Role } from '#access/contract'
import { ApiError, call } from './client.ts'
import { selectedGroup } from './selected-group.ts'

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: fetchMe, staleTime: 60_000 })

/** A remembered group that was deleted, or that the user has left, must not lock the browser out. */
async function fetchMe(): Promise<Me> {
  try {
    return await call('GET', '/api/v1/me')
  } catch (error) {
    const stale =
      error instanceof ApiError && [403, 404].includes(error.status) && selectedGroup.get() !== null
    if (!stale) throw error
    selectedGroup.set(null)
    return call('GET', '/api/v1/me')
  }
}

/** The signed-in user. Only within the shell, which waits for it to load. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

export interface CurrentGroup {
  id: string
  name: string
  role: Role
  /** Null: the reader's. */
  time_zone: string | null
}

/** The group the dashboard shows; null for a user without a group. */
export function useCurrentGroup(): CurrentGroup | null {
  const me = useMe()
  const chosen = useSyncExternalStore(selectedGroup.subscribe, selectedGroup.get)
  const find = (id: string | null) => me.groups.find((group) => group.id === id)
  return find(chosen) ?? find(me.group_id) ?? me.groups[0] ?? null
}

export function useSelectGroup(): (id: string) => Promise<void> {
  const queryClient = useQueryClient()
  return async (id) => {
    selectedGroup.set(id)
    await queryClient.invalidateQueries()
  }
}

export const mayManage = (role: Role | undefined): boolean => role === 'owner' || role === 'admin'

/** Viewers read; everyone else reports and writes. */
export const mayWrite = ({ role }: CurrentGroup): boolean => role !== 'viewer'
