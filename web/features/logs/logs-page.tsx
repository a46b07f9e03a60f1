import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowUp, SearchX, Columns3, Download, FileJson, FileSpreadsheet } from 'lucide-react'
import type { LogFilter } from '#usage/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { counted } from '../../ui/quantity.ts'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { usePageKeys } from '../../ui/page-keys.ts'
import { CheckMenu } from '../../ui/check-menu.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { columnsOf, columns, usualColumns, type Column } from './columns.tsx'
import { FirstRequest } from './first-request.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { logKeys } from './log-keys.ts'
import { LogFilterBar } from './log-filter.tsx'
import { LogList } from './log-list.tsx'
import { LogPanel } from './log-panel.tsx'
import { LogSummary } from './log-summary.tsx'
import { filterOf, narrowingOf, readLogsAddress, type LogsAddress } from './logs-address.ts'
import { TextHits } from './text-hits.tsx'
import { useColumns } from './use-columns.ts'
import { useLogList, type LogListState } from './use-log-list.ts'
import { focusRow } from './use-row-keys.ts'
import { exportAddress } from './log-queries.ts'

const route = getRouteApi('/shell/logs')

export const LogsPage = inGroup(Logs)

function Logs({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const key = JSON.stringify(narrowingOf(search))
  const narrowing = useMemo(() => JSON.parse(key) as LogsAddress, [key])
  const filter = useMemo(() => filterOf(narrowing, Date.now()), [narrowing])
  const [chosen, setChosen] = useColumns()
  const searchField = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => searchField.current?.focus() })
  usePageKeys(logKeys)
  const [isLive, setLive] = useState(true)
  const isScrolled = useScrolled()
  const isNarrow = useNarrow()
  const list = useLogList(group.id, filter, isLive, isScrolled || search.request !== undefined)
  const onOpen = useCallback(
    (request: string | undefined) =>
      void navigate({
        search: (before) => readLogsAddress({ ...before, request }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const isFirst = isEmpty(list) && Object.keys(narrowing).length === 0
  const close = () => {
    const row = list.rows.find(({ request_id }) => request_id === search.request)
    onOpen(undefined)
    if (row) focusRow(row.id)
  }
  return (
    <Page
      title="Logs"
      wide
      description={
        isNarrow
          ? undefined
          : 'Every request through the gateway, with its key, tokens, duration and exact cost.'
      }
      actions={
        <>
          <LiveSwitch isLive={isLive} isStale={list.isStale} onChange={setLive} />
          {!isNarrow && <ColumnMenu chosen={chosen} onChange={setChosen} />}
          <ExportMenu groupId={group.id} filter={filter} />
        </>
      }
    >
      <div className="space-y-3">
        {isFirst ? (
          <FirstRequest groupId={group.id} isLive={isLive} />
        ) : (
          <>
            <LogFilterBar
              groupId={group.id}
              search={narrowing}
              filter={filter}
              searchField={searchField}
              onChange={(part) => void navigate({ search: readLogsAddress({ ...narrowing, ...part }) })}
              onClear={() => void navigate({ search: {} })}
            />
            {narrowing.q !== undefined && <TextHits groupId={group.id} text={narrowing.q} />}
            <LogSummary groupId={group.id} filter={filter} isLive={isLive} />
            <Requests list={list} columns={columnsOf(chosen)} onOpen={onOpen} />
          </>
        )}
      </div>
      {search.request !== undefined && (
        <LogPanel group={group} requestId={search.request} rows={list.rows} onOpen={onOpen} onClose={close} />
      )}
    </Page>
  )
}

/** Loaded, and without rows. */
const isEmpty = ({ isPending, error, rows }: LogListState) => !isPending && !error && rows.length === 0

interface RequestsProps {
  list: LogListState
  columns: readonly Column[]
  onOpen: (requestId: string | undefined) => void
}

function Requests({ list, columns, onOpen }: RequestsProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  if (list.error) return <FailureNotice error={list.error} onRetry={list.reload} />
  if (list.isPending) return <ListSkeleton rows={8} />
  if (isEmpty(list))
    return (
      <EmptyState
        icon={SearchX}
        title="No matching requests"
        action={<Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>}
      >
        No logged request matches all of these filters. Remove a filter or choose a longer period.
      </EmptyState>
    )
  return (
    <div>
      {list.waiting > 0 && <Waiting count={list.waiting} onShow={() => onOpen(undefined)} />}
      <LogList list={list} columns={columns} openRequest={search.request} onOpen={onOpen} />
    </div>
  )
}

/** New rows never move what is being read: they wait behind this button. */
function Waiting({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="pointer-events-none sticky top-12 z-20 flex h-0 justify-center">
      <Button
        look="primary"
        size="small"
        icon={ArrowUp}
        className="pointer-events-auto animate-rise rounded-full! shadow-high"
        onClick={() => {
          onShow()
          scrollTo({ top: 0 })
        }}
      >
        {counted(count, 'new request')}
      </Button>
    </div>
  )
}

const options = columns.map(({ id, title }) => ({ value: id, label: title }))

interface ColumnMenuProps {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function ColumnMenu({ chosen, onChange }: ColumnMenuProps) {
  return (
    <CheckMenu
      label="Columns"
      trigger={<Button icon={Columns3}>Columns</Button>}
      options={options}
      chosen={chosen}
      onChange={onChange}
      reset={{ label: 'Reset', chosen: usualColumns }}
    />
  )
}

/** The browser downloads the file: it may be larger than the memory of a page. */
function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

function ExportMenu({ groupId, filter }: { groupId: string; filter: LogFilter }) {
  return (
    <Menu trigger={<Button icon={Download}>Export</Button>}>
      <MenuLabel>All matching requests</MenuLabel>
      <MenuItem icon={FileSpreadsheet} onSelect={() => download(exportAddress(groupId, filter, 'csv'))}>
        CSV
      </MenuItem>
      <MenuItem icon={FileJson} onSelect={() => download(exportAddress(groupId, filter, 'json'))}>
        JSON
      </MenuItem>
    </Menu>
  )
}

function subscribe(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the page is scrolled away from its top. */
const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => scrollY > 8)
