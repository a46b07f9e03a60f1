import { KeySheet, type KeyGroup } from '../ui/key-sheet.tsx'
import { useShownKeys } from '../ui/page-keys.ts'
import { shortcut } from './shortcut.ts'

const everywhere: KeyGroup = {
  title: 'Everywhere',
  keys: [
    [shortcut('K'), 'Search or run a command'],
    ['?', 'Show this list'],
    ['Esc', 'Close what is open'],
  ],
}

/** The shortcuts of the page, and those of every page. */
export default function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  return <KeySheet groups={[...useShownKeys(), everywhere]} open={open} onClose={onClose} />
}
