import {
  Suspense,
  lazy,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { Outlet, useRouterState, Link } from '@tanstack/react-router'
import { X, Menu, Search, WifiOff } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useQueryClient } from '@tanstack/react-query'
import { loadWhenReachable } from '../api/load-when-reachable.ts'
import { useCurrentGroup } from '../api/session.ts'
import { setTimeZone } from '../ui/moment.ts'
import { useKeysAsked } from '../ui/page-keys.ts'
import { useKeys } from '../ui/use-keys.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { IconButton } from '../ui/button.tsx'
import { Wordmark } from '../ui/logo.tsx'
import { reachable } from '../api/reachable.ts'
import { useGroupAddress } from './use-group-address.ts'
import { checkServer } from './check-server.ts'
import { AccountMenu } from './account-menu.tsx'
import { BellSlot } from './bell-slot.tsx'
import { GroupSelector } from './group-selector.tsx'
import { NavigationList } from './navigation-list.tsx'
import { shortcut } from './shortcut.ts'

const Shortcuts = lazy(() => loadWhenReachable(() => import('./shortcuts.tsx')))
const Palette = lazy(() => loadWhenReachable(() => import('./palette.tsx')))

/** The frame around every page: navigation on the left, or in a drawer on narrow screens. */
export function Layout() {
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [paletteWanted, setPaletteWanted] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const [keysWanted, setKeysWanted] = useState(false)
  const openKeys = useCallback(() => {
    setKeysWanted(true)
    setKeysOpen(true)
  }, [])
  useKeys({ '?': openKeys })
  useKeysAsked(openKeys)
  useGroupAddress()
  const zone = useCurrentGroup()?.time_zone ?? null
  setTimeZone(zone)
  const path = useRouterState({ select: (state) => state.location.pathname })

  useEffect(() => setDrawerOpen(false), [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey) return
      event.preventDefault()
      setPaletteWanted(true)
      setPaletteOpen((open) => !open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  const openPalette = () => {
    setDrawerOpen(false)
    setPaletteWanted(true)
    setPaletteOpen(true)
  }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-primary px-3 py-2 text-sm font-semibold text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line lg:block">
        <Sidebar onOpenPalette={openPalette} hasBell />
      </aside>
      <MobileBar onOpenDrawer={() => setDrawerOpen(true)} onOpenPalette={openPalette} />
      <Drawer open={drawerOpen} onClose={() => setDrawerOpen(false)}>
        <Sidebar onOpenPalette={openPalette} />
      </Drawer>
      <main
        id="content"
        tabIndex={-1}
        className="min-h-[calc(100dvh-3.5rem)] min-w-0 bg-surface/40 outline-none lg:min-h-0"
      >
        <OfflineBanner />
        {/* Narrow pages begin where wide ones do. */}
        <div className="mx-auto w-full max-w-[100rem] px-4 pt-6 pb-20 sm:px-8 lg:pt-10">
          <div className="max-w-5xl has-data-wide:max-w-none">
            {/* A page that is shown in another time zone is drawn again. */}
            <Suspense key={zone} fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </div>
        </div>
      </main>
      {keysWanted && (
        <Suspense>
          <Shortcuts open={keysOpen} onClose={() => setKeysOpen(false)} />
        </Suspense>
      )}
      {paletteWanted && (
        <Suspense>
          <Palette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Drawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const opener = useRef<Element>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => (opener.current = document.activeElement)}
          onCloseAutoFocus={() => opener.current instanceof HTMLElement && opener.current.focus()}
          className="fixed inset-y-0 left-0 z-40 w-72 max-w-[85vw] animate-slide border-r border-line bg-canvas shadow-high outline-none lg:hidden"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Dialog.Close asChild>
            <IconButton label="Close navigation" icon={X} className="absolute top-3 right-3" />
          </Dialog.Close>
          {/* A link to the page that is open changes no path. */}
          <div
            role="presentation"
            className="h-full"
            onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}
          >
            {children}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function MobileBar({ onOpenDrawer, onOpenPalette }: { onOpenDrawer: () => void; onOpenPalette: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-canvas/90 px-2 backdrop-blur lg:hidden">
      <IconButton label="Open navigation" icon={Menu} onClick={onOpenDrawer} className="size-10" />
      <Link to="/" className="rounded-md px-1" aria-label="Signalbox: go to overview">
        <Wordmark />
      </Link>
      <span className="flex-1" />
      <IconButton label="Search or run a command" icon={Search} onClick={onOpenPalette} className="size-10" />
      <BellSlot />
    </header>
  )
}

const retryEvery = 2000
/** What the browser knows of its network. */
const signs = ['offline', 'online']

/** Shown while the server cannot be reached. The page stays; it is reloaded when the server is back. */
function OfflineBanner() {
  const queryClient = useQueryClient()
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get)
  useEffect(() => {
    for (const sign of signs) addEventListener(sign, checkServer)
    return () => {
      for (const sign of signs) removeEventListener(sign, checkServer)
    }
  }, [])
  useEffect(() => {
    if (isReachable) return undefined
    const timer = setInterval(checkServer, retryEvery)
    return () => {
      clearInterval(timer)
      void queryClient.invalidateQueries()
    }
  }, [isReachable, queryClient])
  if (isReachable) return null
  return (
    <p
      role="alert"
      className="sticky top-0 z-30 flex items-center justify-center gap-2 bg-danger-soft px-4 py-2 text-sm font-medium text-danger"
    >
      <WifiOff aria-hidden className="size-4 shrink-0" />
      Can’t reach Signalbox. Retrying…
    </p>
  )
}

function Sidebar({ onOpenPalette, hasBell }: { onOpenPalette: () => void; hasBell?: boolean }) {
  return (
    <div className="flex h-full flex-col gap-4 bg-canvas px-3 py-4">
      <div className="-my-1 flex items-center justify-between pl-2">
        <Link to="/" className="rounded-md" aria-label="Signalbox: go to overview">
          <Wordmark />
        </Link>
        {/* On narrow screens it is in the bar at the top. */}
        {hasBell && <BellSlot inTitle />}
      </div>
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
      <nav aria-label="Main" className="min-h-0 flex-1">
        <NavigationList />
      </nav>
      <AccountMenu />
    </div>
  )
}
