import { Link } from '@tanstack/react-router'
import type { Member, Role } from '#access/contract'
import { Badge } from '../../ui/badge.tsx'
import { InfoTip } from '../../ui/info-tip.tsx'
import { Select } from '../../ui/input.tsx'
import { roleNames } from './roles.ts'

interface MemberNameProps {
  member: Member
  isReader: boolean
  /** Whether the group is the selected one: the page of a person is about one group. */
  isLinked: boolean
}

export function MemberName({ member: { user_id, name, email }, isReader, isLinked }: MemberNameProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-hover text-xs font-semibold text-ink-soft uppercase"
      >
        {name.slice(0, 1)}
      </span>
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          {isLinked ? (
            <Link to="/people/$id" params={{ id: user_id }} className="truncate hover:underline">
              {name}
            </Link>
          ) : (
            <span className="truncate">{name}</span>
          )}
          {isReader && <Badge>you</Badge>}
        </p>
        <p className="truncate text-xs text-ink-faint">{email}</p>
      </div>
    </div>
  )
}

interface MemberRoleProps {
  member: Member
  /** Those that the reader may give. */
  choices: readonly Role[]
  /** Why the role cannot change, if so. */
  fixed: string | undefined
  onChange: (role: Role) => void
}

export function MemberRole({ member: { name, role }, choices, fixed, onChange }: MemberRoleProps) {
  if (choices.length === 0 || fixed !== undefined)
    return (
      <span className="flex items-center gap-1.5 text-sm whitespace-nowrap">
        {roleNames[role]}
        {choices.length > 0 && fixed !== undefined && (
          <InfoTip label={`Why the role of ${name} is fixed`} text={fixed} />
        )}
      </span>
    )
  return (
    <Select
      aria-label={`Role of ${name}`}
      className="w-32"
      value={role}
      onChange={(event) => onChange(event.target.value as Role)}
    >
      {choices.map((each) => (
        <option key={each} value={each}>
          {roleNames[each]}
        </option>
      ))}
    </Select>
  )
}
