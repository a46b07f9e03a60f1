import { clsx } from 'clsx'
import { Highlighted } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

/** SQL with simple colours, for reading. */
export function StatementText({ sql, className }: { sql: string; className?: string }) {
  return (
    <div className={clsx('relative rounded-lg border border-line bg-sunken', className)}>
      <div className="absolute top-1 right-1">
        <CopyButton text={sql} what="the statement" />
      </div>
      <pre
        tabIndex={0}
        aria-label="Statement"
        className="max-h-96 overflow-auto px-4 py-3 pr-12 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <Highlighted source={sql} language="sql" />
      </pre>
    </div>
  )
}
