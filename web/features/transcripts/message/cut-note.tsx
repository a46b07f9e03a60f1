/** Below a text of which only the beginning is stored. */
export const CutNote = () => (
  <p className="text-xs text-ink-faint">
    This text is longer than what Signalbox stores. The rest is not shown.
  </p>
)
