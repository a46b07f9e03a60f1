import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { welcomeQuery } from '../../api/welcome.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Ask } from './conversation.ts'
import { presentTurns } from './present-turns.ts'
import { snippetsFor } from './snippets.ts'
import type { Turn } from './types.ts'

interface CodeDialogProps {
  turns: readonly Turn[]
  /** What is written but not sent yet. */
  text: string
  ask: Ask
  groupId: string
  onClose: () => void
}

export function CodeDialog({ turns, text, ask, groupId, onClose }: CodeDialogProps) {
  const [language, setLanguage] = useState('curl')
  const welcome = useQuery(welcomeQuery(groupId))
  const snippets = snippetsFor(welcome.data?.base_url ?? location.origin, ask(presentTurns(turns, text)))
  return (
    <Dialog
      open
      onClose={onClose}
      title="The conversation as code"
      description="Put a key of this group in the place of YOUR_KEY."
      wide
    >
      <DialogBody>
        <Tabs
          label="Language"
          value={language}
          onChange={setLanguage}
          tabs={snippets.map((snippet) => ({
            id: snippet.id,
            label: snippet.label,
            content: (
              <CodeBlock
                source={snippet.source}
                language={snippet.language}
                what={`${snippet.label} snippet`}
              />
            ),
          }))}
        />
      </DialogBody>
    </Dialog>
  )
}
