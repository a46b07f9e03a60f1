import { memo } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import type { Language } from '../../ui/highlight.ts'
import { splitBlocks, type Block, type List } from './markdown.ts'
import { Spans } from './spans.tsx'

/** Draws what the splitter read, with React's own elements: text from a model never becomes markup. */
export function MarkdownView({ source }: { source: string }) {
  return (
    <div className="space-y-3 leading-relaxed [overflow-wrap:anywhere]">
      {splitBlocks(source).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}

/** While an answer arrives only its last block changes; the others are not drawn again. */
const BlockView = memo(
  DrawnBlock,
  (before, after) => JSON.stringify(before.block) === JSON.stringify(after.block),
)

function DrawnBlock({ block }: { block: Block }) {
  if (block.kind === 'code') return <Code text={block.text} name={block.language} />
  if (block.kind === 'list') return <ListView list={block} />
  if (block.kind === 'rule') return <hr className="border-line" />
  const text = <Spans text={block.text} />
  if (block.kind === 'heading')
    return (
      <p role="heading" aria-level={Math.min(6, block.level + 2)} className="pt-1 text-base font-semibold">
        {text}
      </p>
    )
  if (block.kind === 'quote')
    return (
      <blockquote className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-ink-soft">
        {text}
      </blockquote>
    )
  return <p className="whitespace-pre-wrap">{text}</p>
}

function ListView({ list }: { list: List }) {
  const Tag = list.ordered ? 'ol' : 'ul'
  return (
    <Tag
      {...(list.ordered ? { start: list.start } : {})}
      className={`space-y-1 pl-5 marker:text-ink-faint ${list.ordered ? 'list-decimal' : 'list-disc'}`}
    >
      {list.items.map((item, index) => (
        <li key={index} className="space-y-1">
          <span className="whitespace-pre-wrap">
            <Spans text={item.text} />
          </span>
          {item.nested && <ListView list={item.nested} />}
        </li>
      ))}
    </Tag>
  )
}

const languages: Record<string, Language> = {
  ...Object.fromEntries(['bash', 'sh', 'shell', 'zsh', 'console'].map((name) => [name, 'bash' as const])),
  ...Object.fromEntries(
    ['ts', 'js', 'tsx', 'jsx', 'typescript', 'javascript'].map((name) => [name, 'typescript' as const]),
  ),
  python: 'python',
  py: 'python',
  json: 'json',
}

function Code({ text, name }: { text: string; name: string }) {
  return <CodeBlock source={text} language={languages[name]} what={name === '' ? 'text' : name} />
}
