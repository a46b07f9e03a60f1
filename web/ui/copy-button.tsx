import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { toast } from 'sonner'
import { Button, IconButton } from './button.tsx'

/** Copying needs a secure context; elsewhere a toast asks the user to copy by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast.error('Copy failed', {
      description: 'The browser blocked it. Select the text and copy it with the keyboard.',
    })
    return false
  }
}

interface CopyButtonProps {
  text: string
  /** What is copied, such as "key": the button is then named "Copy key". */
  what: string
  labelled?: boolean
  className?: string
}

export function CopyButton({ text, what, labelled, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void copyText(text).then(setCopied)
  const icon = copied ? Check : Copy
  const shared = { onClick: copy, ...(className === undefined ? {} : { className }) }
  if (labelled)
    return (
      <Button {...shared} icon={icon}>
        {copied ? 'Copied' : `Copy ${what}`}
      </Button>
    )
  return <IconButton {...shared} icon={icon} label={copied ? 'Copied' : `Copy ${what}`} />
}
