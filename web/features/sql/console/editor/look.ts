import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colours are variables of the page, so that a change of theme needs nothing here. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--syntax-word)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syntax-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.typeName], color: 'var(--syntax-name)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--ink-faint)' },
])

const wave = (colour: string): Record<string, string> => ({
  textDecoration: `underline wavy ${colour} 1px`,
  textUnderlineOffset: '3px',
  textDecorationSkipInk: 'none',
})

const frame = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-code)',
    lineHeight: '1.6',
    maxHeight: '26rem',
    overflow: 'auto',
  },
  '.cm-content': { padding: '0.625rem 0', caretColor: 'var(--ink)' },
  '.cm-content, .cm-gutter': { minHeight: '10rem' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.625rem', minWidth: '2.25rem' },
  '.cm-matchingBracket': { backgroundColor: 'var(--hover)', outline: '1px solid var(--line-strong)' },
  '.cm-fault': wave('var(--danger-strong)'),
  '.cm-policy': wave('var(--primary)'),
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '0.625rem',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-high)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)', maxHeight: '16rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.75rem !important' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--hover)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-faint)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
})

export const look = [frame, syntaxHighlighting(colours)]
