import { useState, type ComponentProps } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Input } from './input.tsx'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  value: string
  onValue: (value: string) => void
  /** What is hidden, if it is not a password. */
  what?: string
}

export function PasswordInput({ onValue, what = 'password', ...rest }: PasswordInputProps) {
  const [visible, setVisible] = useState(false)
  return (
    <div className="relative">
      <Input
        {...rest}
        type={visible ? 'text' : 'password'}
        onChange={(event) => onValue(event.target.value)}
        className="pr-10"
      />
      <IconButton
        label={`${visible ? 'Hide' : 'Show'} ${what}`}
        icon={visible ? EyeOff : Eye}
        onClick={() => setVisible(!visible)}
        className="absolute top-0.5 right-0.5"
      />
    </div>
  )
}
