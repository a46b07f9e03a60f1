/** Nothing leaves this server: no fonts, no proxy, no telemetry, no services of the reference's maker. */
export function referenceOptions(document: object, theme: string): object {
  return {
    content: document,
    layout: 'modern',
    theme: 'none',
    customCss,
    forceDarkModeState: theme === 'dark' ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    // The dashboard's palette has the usual key.
    searchHotKey: 'l',
    // The other credentials are those of people in the dashboard.
    authentication: { preferredSecurityScheme: 'apiKey' },
    operationTitleSource: 'summary',
    hideModels: true,
    // The headings are addresses within the page, which the dashboard's router leaves alone.
    updateTitle: false,
  }
}

/** The reference in the colours of the dashboard. */
const customCss = `
.light-mode, .dark-mode {
  --scalar-font: var(--font-text);
  --scalar-font-code: var(--font-code);
  --scalar-background-1: var(--surface);
  --scalar-background-2: var(--sunken);
  --scalar-background-3: var(--hover);
  --scalar-background-accent: var(--accent-soft);
  --scalar-border-color: var(--line);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--ink-soft);
  --scalar-color-3: var(--ink-faint);
  --scalar-color-accent: var(--accent);
  --scalar-color-green: var(--clear);
  --scalar-color-red: var(--danger);
  --scalar-color-blue: var(--info);
  --scalar-color-orange: var(--accent);
  --scalar-color-yellow: var(--accent);
  --scalar-color-purple: var(--syntax-word);
  --scalar-link-color: var(--accent);
}
/* Below the dashboard's own bar, which is there on narrow windows. */
@media (width < 1024px) {
  .light-mode, .dark-mode { --scalar-custom-header-height: 3.5rem; }
}
body { background-color: var(--canvas); }
`
