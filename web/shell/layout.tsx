import { Suspense, lazy, useCallback, useEffect, useState } from 'react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { loadWhenReachable } from '../api/load-when-reachable.ts'
import { useCurrentGroup } from '../api/session.ts'
import { setTimeZone } from '../ui/moment.ts'
import { useKeysAsked } from '../ui/page-keys.ts'
import { useKeys } from '../ui/use-keys.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { Drawer } from './drawer.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { MobileBar } from './mobile-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { useGroupAddress } from './use-group-address.ts'

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
        <Sidebar onOpenPalette={openPalette} />
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
