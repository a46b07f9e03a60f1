import { useState } from 'react'
import { EllipsisVertical, Pencil, Trash2, UserPlus } from 'lucide-react'
import { toast } from 'sonner'
import type { Group } from '#access/contract'
import { mayManage } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { dayOf } from '../../ui/moment.ts'
import { useChangeGroup, useDeleteGroup } from './group-queries.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { GroupLimits } from './group-limits.tsx'
import { GroupDialog } from './group-dialog.tsx'

type Asking = 'invite' | 'change' | 'delete' | null

/** One group: its members, open invitations and actions. */
export function GroupDetail({ group }: { group: Group }) {
  const [asking, setAsking] = useState<Asking>(null)
  const change = useChangeGroup(group.id)
  const remove = useDeleteGroup(group.id, () =>
    toast.success(`Group “${group.name}” deleted`, { description: 'Its keys no longer work.' }),
  )
  const manages = mayManage(group.role)
  const close = () => setAsking(null)
  const changed = () => {
    toast.success('Group changed')
    close()
  }
  return (
    <section aria-label={group.name} className="min-w-0 space-y-8">
      <div>
        <div className="mb-4 flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h2 className="text-lg font-semibold tracking-tight">{group.name}</h2>
            <p className="text-sm text-ink-faint">
              Created {dayOf(group.created_at)} · times in {group.time_zone ?? 'the time zone of each reader'}
            </p>
          </div>
          {manages && (
            <Button look="primary" icon={UserPlus} onClick={() => setAsking('invite')}>
              Invite member
            </Button>
          )}
          {manages && (
            <Menu
              trigger={
                <IconButton label={`Actions for ${group.name}`} icon={EllipsisVertical} className="size-9" />
              }
            >
              <MenuItem icon={Pencil} onSelect={() => setAsking('change')}>
                Change group
              </MenuItem>
              {group.role === 'owner' && (
                <MenuItem icon={Trash2} danger onSelect={() => setAsking('delete')}>
                  Delete group
                </MenuItem>
              )}
            </Menu>
          )}
        </div>
        <Members group={group} />
      </div>
      <GroupLimits group={group} />
      {manages && <Invitations groupId={group.id} />}
      <InviteDialog group={group} open={asking === 'invite'} onClose={close} />
      <GroupDialog
        open={asking === 'change'}
        onClose={close}
        title="Change group"
        action="Save group"
        group={group}
        busy={change.isPending}
        error={change.error}
        onSubmit={(input) => change.mutate(input, { onSuccess: changed })}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={close}
        title={`Delete group “${group.name}”?`}
        action="Delete group"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        <p>
          Its keys stop working immediately and its members lose access to its data. This can’t be undone.
        </p>
      </ConfirmDialog>
    </section>
  )
}
