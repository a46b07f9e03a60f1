import type { KeyGroup } from '../../ui/key-sheet.tsx'

/** The keyboard shortcuts of the page. */
export const consoleKeys: readonly KeyGroup[] = [
  {
    title: 'Move',
    keys: [
      ['j', 'k', 'Next or previous event; pauses the list'],
      ['Enter', 'Open the event'],
      ['Esc', 'Close the event'],
      ['G', 'Jump to the newest events and resume'],
    ],
  },
  {
    title: 'Live',
    keys: [
      ['p', 'Pause or resume'],
      ['f', 'Follow: newest events at the top'],
    ],
  },
  {
    title: 'Filter',
    keys: [
      ['/', 'Search'],
      ['1', 'Only critical; 2 error and above, 3 warning, 4 info, 5 debug'],
      ['0', 'All severities'],
      ['i', 'Show only the service of the event'],
      ['x', 'Hide the service of the event'],
    ],
  },
  {
    title: 'Event',
    keys: [
      ['c', 'Copy link'],
      ['v', 'View in context'],
    ],
  },
]
