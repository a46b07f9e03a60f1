import { useState } from 'react'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { snippetsFor } from './snippets.ts'

interface FirstCallProps {
  baseUrl: string
  apiKey: string | null
  model: string
}

export function FirstCall({ baseUrl, apiKey, model }: FirstCallProps) {
  const [language, setLanguage] = useState('curl')
  const tabs = snippetsFor(baseUrl, apiKey, model).map((snippet) => ({
    id: snippet.id,
    label: snippet.label,
    content: (
      <CodeBlock source={snippet.source} language={snippet.language} what={`${snippet.label} snippet`} />
    ),
  }))
  return <Tabs label="Language" tabs={tabs} value={language} onChange={setLanguage} />
}
