import type { Block } from './parse.ts'

const tag = /<(\/?)h([3-6])>/g
const highest = 3

/** Texts begin with any level of heading. The page has the first two, and none may be left out after them. */
export function raiseHeadings(blocks: readonly Block[]): readonly Block[] {
  const first = Math.min(...blocks.map(levelOf))
  return Number.isFinite(first) && first > highest
    ? blocks.map((block) => raised(block, first - highest))
    : blocks
}

function levelOf(block: Block): number {
  if (block.kind === 'html')
    return Math.min(...[...block.html.matchAll(tag)].map(([, , level]) => Number(level)))
  if (block.kind === 'quote') return Math.min(...block.blocks.map(levelOf))
  if (block.kind === 'list') return Math.min(...block.items.flat().map(levelOf))
  return Infinity
}

function raised(block: Block, by: number): Block {
  if (block.kind === 'html')
    return {
      ...block,
      html: block.html.replace(
        tag,
        (_whole, slash: string, level: string) => `<${slash}h${Number(level) - by}>`,
      ),
    }
  if (block.kind === 'quote') return { ...block, blocks: block.blocks.map((inner) => raised(inner, by)) }
  if (block.kind === 'list')
    return { ...block, items: block.items.map((item) => item.map((inner) => raised(inner, by))) }
  return block
}
