import type { CSSProperties } from 'react'
import { Toaster } from 'sonner'
import { useTheme } from './theme.ts'

const colours = {
  '--normal-bg': 'var(--surface)',
  '--normal-border': 'var(--line-strong)',
  '--normal-text': 'var(--ink)',
  '--border-radius': '0.75rem',
} as CSSProperties

export function Toasts() {
  return (
    <Toaster theme={useTheme()} position="bottom-right" style={colours} toastOptions={{ duration: 5000 }} />
  )
}
