import { useEffect, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { readDocsSearch } from './docs-search.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { OperationDetail } from './operation-detail.tsx'

const colours: Record<string, string> = {
  GET: 'text-info',
  POST: 'text-success',
  PATCH: 'text-accent',
  PUT: 'text-accent',
  DELETE: 'text-danger',
}

interface OperationItemProps {
  operation: Operation
  document: OpenApi
  open: boolean
}

/** A line that opens in place. Which one stands open is in the address, so that it can be pointed at. */
export function OperationItem({ operation, document, open }: OperationItemProps) {
  const item = useRef<HTMLLIElement>(null)
  const openAtFirst = useRef(open)
  useEffect(() => {
    if (openAtFirst.current) item.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <li ref={item} className="scroll-mt-20">
      <Link
        to="/docs"
        search={(search) => readDocsSearch({ ...search, open: open ? undefined : operation.id })}
        replace
        resetScroll={false}
        aria-expanded={open}
        className="flex items-center gap-3 px-4 py-2.5 transition-colors -outline-offset-2 hover:bg-hover/50"
      >
        <span className={clsx('w-13 shrink-0 font-mono text-xs font-semibold', colours[operation.method])}>
          {operation.method}
        </span>
        <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-4">
          <span className="block font-mono text-xs break-all text-ink sm:shrink-0">{operation.path}</span>
          <span className="block truncate text-sm text-ink-faint sm:flex-1 sm:text-right">
            {operation.summary}
          </span>
        </span>
        <ChevronRight
          aria-hidden
          className={clsx('size-4 shrink-0 text-ink-faint transition-transform', open && 'rotate-90')}
        />
      </Link>
      {open && <OperationDetail operation={operation} document={document} />}
    </li>
  )
}
