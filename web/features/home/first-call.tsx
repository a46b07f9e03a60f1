import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { snippetsFor } from './snippets.ts'

export function FirstCall({ baseUrl, apiKey }: { baseUrl: string; apiKey: string | null }) {
  const [language, setLanguage] = useState('curl')
  const tabs = snippetsFor(baseUrl, apiKey).map((snippet) => ({
    id: snippet.id,
    label: snippet.label,
    content: (
      <CodeBlock source={snippet.source} language={snippet.language} what={`${snippet.label} snippet`} />
    ),
  }))
  return <Tabs label="Language" tabs={tabs} value={language} onChange={setLanguage} />
}
