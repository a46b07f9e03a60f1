import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { keywordCompletionSource, PostgreSQL } from '@codemirror/lang-sql'
import { bracketMatching, syntaxTree } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import type { SchemaRelation } from '#sql/contract'
import { look } from './look.ts'
import { marks, setMark, type EditorMark } from './marks.ts'
import { suggestionsAt } from './suggest.ts'

export interface EditorHandle {
  /** Writes a text where the cursor is. */
  insert(text: string): void
}

export interface CodeEditorProps {
  value: string
  relations: readonly SchemaRelation[]
  mark: EditorMark | null
  onChange: (value: string) => void
  onRun: () => void
  ref?: Ref<EditorHandle>
}

/** An editor for SQL. Ctrl+Enter runs; Tab takes a suggestion, and otherwise leaves the editor as in every field. */
export function CodeEditor({ ref, ...props }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const current = useRef(props)
  useEffect(() => {
    current.current = props
  })
  useEffect(() => {
    if (!place.current) return undefined
    const made = new EditorView({ parent: place.current, state: stateOf(() => current.current) })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])
  useEffect(() => {
    const { doc } = view.current?.state ?? {}
    if (doc === undefined || doc.toString() === props.value) return
    view.current?.dispatch({
      changes: { from: 0, to: doc.length, insert: props.value },
      selection: { anchor: props.value.length },
    })
  }, [props.value])
  const { at, tone, message } = props.mark ?? {}
  useEffect(() => {
    const mark = at === undefined || !tone || message === undefined ? null : { at, tone, message }
    view.current?.dispatch({ effects: setMark.of(mark) })
  }, [at, tone, message, props.value])
  useImperativeHandle(ref, () => ({
    insert(text) {
      view.current?.dispatch(view.current.state.replaceSelection(text))
      view.current?.focus()
    },
  }))
  return <div ref={place} className="text-[1rem] sm:text-sm" />
}

function stateOf(props: () => Omit<CodeEditorProps, 'ref'>): EditorState {
  const run = () => {
    props().onRun()
    return true
  }
  return EditorState.create({
    doc: props().value,
    extensions: [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      lineNumbers(),
      history(),
      bracketMatching(),
      closeBrackets(),
      PostgreSQL.extension,
      autocompletion({
        icons: false,
        override: [
          (context) => fromSchema(context, props().relations),
          (context) => (context.matchBefore(/\.[\w$"]*/) ? null : keywords(context)),
        ],
      }),
      marks,
      look,
      EditorView.lineWrapping,
      placeholder('SELECT * FROM …'),
      EditorView.contentAttributes.of({ 'aria-label': 'Statement', spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) props().onChange(state.doc.toString())
      }),
    ],
  })
}

/** Not behind a dot, where only names are possible. */
const keywords = keywordCompletionSource(PostgreSQL, true)

const texts = new Set(['String', 'LineComment', 'BlockComment'])

function fromSchema(
  { state, pos, explicit }: CompletionContext,
  relations: readonly SchemaRelation[],
): CompletionResult | null {
  if (texts.has(syntaxTree(state).resolveInner(pos, -1).name)) return null
  const { from, options, isQualified } = suggestionsAt(relations, state.doc.toString(), pos)
  if (options.length === 0 || (from === pos && !explicit && !isQualified)) return null
  return { from, options, validFor: /^"?[\w$]*$/ }
}
