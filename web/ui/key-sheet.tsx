import { Dialog, DialogBody } from './dialog.tsx'

/** Keys that do similar things: each entry is one or more keys and, last, what they do. */
export interface KeyGroup {
  title: string
  keys: readonly (readonly [string, ...string[]])[]
}

interface KeySheetProps {
  groups: readonly KeyGroup[]
  open: boolean
  onClose: () => void
}

/** The keyboard shortcuts of a page. */
export function KeySheet({ groups, open, onClose }: KeySheetProps) {
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
