import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import type { Choosing } from './feature.ts'
import { PaletteChoice } from './palette-choice.tsx'
import { PaletteCommands } from './palette-commands.tsx'

/** Every page and command, by keyboard. A command that is about a thing asks which one. */
export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Choosing | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (open) return
    setText('')
    setChosen(null)
  }, [open])
  const back = (event: KeyboardEvent) => {
    if (!chosen || text !== '' || event.key !== 'Backspace') return
    event.preventDefault()
    setChosen(null)
  }
  const choose = (command: Choosing) => {
    setText('')
    setChosen(command)
    // A click on the command has taken the focus away.
    input.current?.focus()
  }
  return (
    <Command.Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      label="Search or run a command"
      overlayClassName="fixed inset-0 z-40 animate-fade bg-scrim backdrop-blur-[2px]"
      contentClassName="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl animate-rise overflow-hidden rounded-2xl border border-line bg-surface shadow-high outline-none"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
        {chosen && (
          <span className="shrink-0 rounded-md bg-sunken px-2 py-1 text-xs font-medium text-ink-soft">
            {chosen.label}
          </span>
        )}
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          onKeyDown={back}
          placeholder={chosen?.choose.prompt ?? 'Search or run a command'}
          className="h-13 w-full min-w-0 bg-transparent text-[1rem] outline-none placeholder:text-ink-faint"
        />
      </div>
      <Command.List className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto p-2">
        {chosen ? (
          <PaletteChoice command={chosen} text={text} onClose={onClose} />
        ) : (
          <PaletteCommands open={open} text={text} onChoose={choose} onClose={onClose} />
        )}
      </Command.List>
      <p aria-hidden className="hidden gap-4 border-t border-line px-5 py-2 text-xs text-ink-faint sm:flex">
        <span>↑↓ move</span>
        <span>↵ select</span>
        {chosen && <span>⌫ back</span>}
        <span>esc close</span>
        <span className="ml-auto">? shortcuts</span>
      </p>
    </Command.Dialog>
  )
}
