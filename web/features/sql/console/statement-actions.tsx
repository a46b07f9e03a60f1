import { FlaskConical, History, ListTree, Play, Waypoints } from 'lucide-react'
import { shortcut } from '../../../shell/shortcut.ts'
import { Button } from '../../../ui/button.tsx'
import type { Asked } from './use-statement.ts'

interface StatementActionsProps {
  /** There is no statement. */
  disabled: boolean
  /** What is running. */
  busy: Asked['way'] | undefined
  needsApproval: boolean
  onSend: (way: Asked['way']) => void
  onShow: (panel: 'schema' | 'history') => void
}

export function StatementActions({ disabled, busy, needsApproval, onSend, onShow }: StatementActionsProps) {
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <Button
        look="primary"
        icon={Play}
        disabled={disabled}
        busy={busy === 'run'}
        title={shortcut('Enter')}
        onClick={() => onSend('run')}
      >
        {needsApproval ? 'Ask for approval' : 'Run'}
      </Button>
      <Button
        icon={Waypoints}
        disabled={disabled}
        busy={busy === 'plan'}
        title="Show the plan"
        onClick={() => onSend('plan')}
      >
        Explain
      </Button>
      <Button icon={FlaskConical} disabled={disabled} busy={busy === 'try'} onClick={() => onSend('try')}>
        Dry run
      </Button>
      <Button icon={ListTree} className="lg:hidden" onClick={() => onShow('schema')}>
        Schema
      </Button>
      <Button icon={History} onClick={() => onShow('history')}>
        History
      </Button>
    </div>
  )
}
