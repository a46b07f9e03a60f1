import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Role } from '#access/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { selectedGroup } from '../../api/selected-group.ts'

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: async () => (await call('GET', '/api/v1/groups')).data,
})

export const invitationsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['invitations', groupId],
    queryFn: async () =>
      (await call('GET', '/api/v1/groups/{id}/invitations', { path: { id: groupId } })).data,
  })

/** Groups appear in three places: their list, the user's own record, and the lists of members. */
function useGroupsChanged() {
  const queryClient = useQueryClient()
  return () => refreshQueries(queryClient, { predicate: ({ queryKey }) => stale.has(queryKey[0]) })
}

const stale = new Set<unknown>(['groups', 'me', 'members', 'invitations'])

export interface GroupInput {
  name: string
  time_zone: string | null
}

export function useCreateGroup() {
  const onSuccess = useGroupsChanged()
  return useMutation({
    mutationFn: (body: GroupInput) => call('POST', '/api/v1/groups', { body }),
    onSuccess,
  })
}

export function useChangeGroup(id: string) {
  const onSuccess = useGroupsChanged()
  return useMutation({
    mutationFn: (body: GroupInput) => call('PATCH', '/api/v1/groups/{id}', { path: { id }, body }),
    onSuccess,
  })
}

/** The view of the group unmounts once the lists are reloaded, so `onDone` runs first. */
export function useDeleteGroup(id: string, onDone: () => void) {
  const changed = useGroupsChanged()
  return useMutation({
    mutationFn: () => call('DELETE', '/api/v1/groups/{id}', { path: { id } }),
    onSuccess: () => {
      onDone()
      if (selectedGroup.get() === id) selectedGroup.set(null)
      return changed()
    },
  })
}

export function useChangeRole(groupId: string) {
  const onSettled = useGroupsChanged()
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      call('PATCH', '/api/v1/groups/{id}/members/{user_id}', {
        path: { id: groupId, user_id: userId },
        body: { role },
      }),
    onSettled,
  })
}

/** A user who leaves loses access to the group, so here too `onDone` runs first. */
export function useRemoveMember(groupId: string, onDone: () => void) {
  const changed = useGroupsChanged()
  return useMutation({
    mutationFn: (userId: string) =>
      call('DELETE', '/api/v1/groups/{id}/members/{user_id}', { path: { id: groupId, user_id: userId } }),
    onSuccess: () => {
      onDone()
      return changed()
    },
  })
}

export function useInvite(groupId: string) {
  const onSuccess = useGroupsChanged()
  return useMutation({
    mutationFn: (body: { role: Role; email?: string }) =>
      call('POST', '/api/v1/groups/{id}/invitations', { path: { id: groupId }, body }),
    onSuccess,
  })
}

export function useWithdrawInvitation(groupId: string) {
  const onSuccess = useGroupsChanged()
  return useMutation({
    mutationFn: (id: string) =>
      call('DELETE', '/api/v1/groups/{id}/invitations/{invitation_id}', {
        path: { id: groupId, invitation_id: id },
      }),
    onSuccess,
  })
}
