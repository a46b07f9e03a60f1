import { StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'

/** A place in the text that a message speaks of. */
export interface EditorMark {
  /** A character index, from 0. */
  at: number
  tone: 'danger' | 'accent'
  message: string
}

export const setMark = StateEffect.define<EditorMark | null>()

/** Underlines the word at the place; it moves with the text until another one is set. */
export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    const set = effects.find((effect) => effect.is(setMark))
    return set ? underlined(state.doc, set.value as EditorMark | null) : before.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function underlined(text: Text, mark: EditorMark | null): DecorationSet {
  if (!mark || text.length === 0) return Decoration.none
  // An error at the end of the text is shown at what comes last.
  const from = Math.max(0, Math.min(mark.at, text.length - 1))
  const rest = text.sliceString(from, Math.min(text.length, from + 200))
  const { length } = /^[\w$."]+|^[\s\S]/.exec(rest)?.[0] ?? ' '
  const decoration = Decoration.mark({
    class: mark.tone === 'danger' ? 'cm-fault' : 'cm-policy',
    attributes: { title: mark.message },
  })
  return Decoration.set(decoration.range(from, from + length))
}
