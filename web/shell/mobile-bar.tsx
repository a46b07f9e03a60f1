import { Link } from '@tanstack/react-router'
import { Menu, Search } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Wordmark } from '../ui/logo.tsx'

export function MobileBar({
  onOpenDrawer,
  onOpenPalette,
}: {
  onOpenDrawer: () => void
  onOpenPalette: () => void
}) {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-canvas/90 px-2 backdrop-blur lg:hidden">
      <IconButton label="Open navigation" icon={Menu} onClick={onOpenDrawer} className="size-10" />
      <Link to="/" className="rounded-md px-1" aria-label="Signalbox: go to overview">
        <Wordmark />
      </Link>
      <span className="flex-1" />
      <IconButton label="Search or run a command" icon={Search} onClick={onOpenPalette} className="size-10" />
    </header>
  )
}
