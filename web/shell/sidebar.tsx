import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { Wordmark } from '../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { GroupSelector } from './group-selector.tsx'
import { NavigationList } from './navigation-list.tsx'
import { shortcut } from './shortcut.ts'

export function Sidebar({ onOpenPalette }: { onOpenPalette: () => void }) {
  return (
    <div className="flex h-full flex-col gap-4 bg-canvas px-3 py-4">
      <Link to="/" className="mx-2 self-start rounded-md" aria-label="Signalbox: go to overview">
        <Wordmark />
      </Link>
      <div className="space-y-2">
        <GroupSelector />
        <button
          type="button"
          onClick={onOpenPalette}
          className="flex h-8 w-full items-center gap-2 rounded-lg border border-line bg-surface px-2.5 text-sm text-ink-faint transition-colors hover:border-line-strong hover:text-ink-soft"
        >
          <Search aria-hidden className="size-3.5" />
          <span className="flex-1 text-left">Search…</span>
          <kbd className="rounded border border-line px-1 font-mono text-[0.6875rem]">{shortcut('K')}</kbd>
        </button>
      </div>
      <nav aria-label="Main" className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        <NavigationList />
      </nav>
      <AccountMenu />
    </div>
  )
}
