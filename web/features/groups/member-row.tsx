import { UserMinus } from 'lucide-react'
import type { Member, Role } from '#access/contract'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { InfoTip } from '../../ui/info-tip.tsx'
import { Select } from '../../ui/input.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { isOnlyOwner, roleNames, grantableRoles, whyFixed } from './roles.ts'

interface MemberRowProps {
  member: Member
  members: readonly Member[]
  ownRole: Role
  isReader: boolean
  onChangeRole: (role: Role) => void
  onRemove: () => void
}

export function MemberRow({ member, members, ownRole, isReader, onChangeRole, onRemove }: MemberRowProps) {
  const choices = grantableRoles(ownRole)
  const fixed = whyFixed(member, members, ownRole)
  const mayLeave = isReader && !isOnlyOwner(member, members)
  return (
    <Row>
      <Cell part="lead">
        <div className="flex min-w-0 items-center gap-3">
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-full bg-hover text-xs font-semibold text-ink-soft uppercase"
          >
            {member.name.slice(0, 1)}
          </span>
          <div className="min-w-0">
            <p className="flex items-center gap-2 font-medium">
              <span className="truncate">{member.name}</span>
              {isReader && <Badge>you</Badge>}
            </p>
            <p className="truncate text-xs text-ink-faint">{member.email}</p>
          </div>
        </div>
      </Cell>
      <Cell label="Joined" className="text-sm text-ink-soft">
        <MomentText time={member.joined_at} />
      </Cell>
      <Cell label="Role" className="md:w-40">
        {choices.length > 0 && fixed === undefined ? (
          <Select
            aria-label={`Role of ${member.name}`}
            className="w-32"
            value={member.role}
            onChange={(event) => onChangeRole(event.target.value as Role)}
          >
            {choices.map((role) => (
              <option key={role} value={role}>
                {roleNames[role]}
              </option>
            ))}
          </Select>
        ) : (
          <span className="flex items-center gap-1.5 text-sm whitespace-nowrap">
            {roleNames[member.role]}
            {choices.length > 0 && fixed !== undefined && (
              <InfoTip label={`Why the role of ${member.name} is fixed`} text={fixed} />
            )}
          </span>
        )}
      </Cell>
      <Cell part="actions">
        {(mayLeave || (choices.length > 0 && fixed === undefined)) && (
          <IconButton
            label={isReader ? 'Leave group' : `Remove ${member.name}`}
            icon={UserMinus}
            onClick={onRemove}
          />
        )}
      </Cell>
    </Row>
  )
}
