import type { KeyGroup } from '../../ui/key-sheet.tsx'

export const logKeys: readonly KeyGroup[] = [
  {
    title: 'Requests',
    keys: [
      ['j', 'k', 'Next or previous request'],
      ['Enter', 'Open the request'],
      ['Esc', 'Close the request'],
      ['/', 'Search'],
    ],
  },
]
