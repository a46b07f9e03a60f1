import type { KeyGroup } from '../../../ui/key-sheet.tsx'

/** The keyboard shortcuts of the page. */
export const sessionKeys: readonly KeyGroup[] = [
  {
    title: 'Move',
    keys: [
      ['j', 'k', 'Next or previous prompt'],
      ['G', 'Newest messages'],
      ['n', 'N', 'Next or previous hit of the search'],
    ],
  },
  {
    title: 'Find',
    keys: [
      ['/', 'Search in this session'],
      ['1', 'Only prompts; 2 tool calls, 3 errors'],
      ['0', 'All messages'],
    ],
  },
]
