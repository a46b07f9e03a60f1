import { Dialog, DialogBody } from '../../ui/dialog.tsx'

const groups = [
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
      ['?', 'Show this list'],
    ],
  },
] as const

/** The keyboard shortcuts of the page. */
export function KeySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <DialogBody>
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-xs font-medium text-ink-faint">{title}</h3>
            <dl className="space-y-1.5 text-sm">
              {keys.map((entry) => (
                <div key={entry[0]} className="flex items-baseline gap-3">
                  <dt className="flex w-20 shrink-0 gap-1">
                    {entry.slice(0, -1).map((key) => (
                      <kbd
                        key={key}
                        className="rounded-md border border-line-strong bg-sunken px-1.5 font-mono text-xs leading-5"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dt>
                  <dd className="text-ink-soft">{entry.at(-1)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  )
}
