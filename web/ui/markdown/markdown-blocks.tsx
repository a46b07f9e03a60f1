import { memo, useState } from 'react'
import { CodeBlock } from '../code-block.tsx'
import type { Language } from '../highlight.ts'
import { createMarkdownParser, type Block } from './parse.ts'
import { raiseHeadings } from './raise-headings.ts'
import { sanitize } from './sanitize.ts'

export function MarkdownBlocks({ source }: { source: string }) {
  const [parse] = useState(createMarkdownParser)
  return (
    <div className="markdown">
      <Blocks blocks={raiseHeadings(parse(source))} />
    </div>
  )
}

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) => <BlockView key={index} block={block} />)

/** While a response streams only its last block changes; the others are not drawn again. */
const BlockView = memo(
  DrawnBlock,
  (before, after) =>
    before.block === after.block || JSON.stringify(before.block) === JSON.stringify(after.block),
)

function DrawnBlock({ block }: { block: Block }) {
  if (block.kind === 'code')
    return (
      <CodeBlock
        source={block.text}
        language={languages[block.language]}
        what={block.language === '' ? 'text' : block.language}
      />
    )
  if (block.kind === 'list') return <List start={block.start} items={block.items} />
  if (block.kind === 'quote')
    return (
      <blockquote>
        <Blocks blocks={block.blocks} />
      </blockquote>
    )
  if (block.kind === 'text') return <p className="whitespace-pre-wrap">{block.text}</p>
  return <div dangerouslySetInnerHTML={{ __html: sanitize(block.html) }} />
}

function List({ start, items }: { start: number | null; items: readonly Block[][] }) {
  const entries = items.map((item, index) => (
    <li key={index}>
      <Blocks blocks={item} />
    </li>
  ))
  return start === null ? <ul>{entries}</ul> : <ol start={start}>{entries}</ol>
}

const languages: Partial<Record<string, Language>> = {
  ...Object.fromEntries(['bash', 'sh', 'shell', 'zsh', 'console'].map((name) => [name, 'bash' as const])),
  ...Object.fromEntries(
    ['ts', 'js', 'tsx', 'jsx', 'typescript', 'javascript'].map((name) => [name, 'typescript' as const]),
  ),
  sql: 'sql',
  python: 'python',
  py: 'python',
  json: 'json',
}
