/** A track diagram as it hangs in a signal box: branches run together, a signal guards the main line. */
export function LineDiagram({ clear, className }: { clear: boolean; className?: string }) {
  const lamp = clear ? 'var(--clear-lamp)' : 'var(--lamp)'
  return (
    <svg
      viewBox="0 0 480 200"
      preserveAspectRatio="xMaxYMid slice"
      fill="none"
      aria-hidden
      className={className}
    >
      <g stroke="var(--line-strong)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M40 52h92l52 52h56" />
        <path d="M20 104h220" />
        <path d="M40 156h92l52-52" />
        <path d="M240 104h88l40-40h112" />
        <path d="M328 104h152" />
        <path d="M328 104l40 40h112" />
      </g>
      <path d="M132 104h196" stroke={lamp} strokeWidth="3" strokeLinecap="round" />
      <g fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2.5">
        <circle cx="88" cy="52" r="5" />
        <circle cx="88" cy="104" r="5" />
        <circle cx="88" cy="156" r="5" />
        <circle cx="412" cy="64" r="5" />
        <circle cx="412" cy="104" r="5" />
        <circle cx="412" cy="144" r="5" />
      </g>
      <rect
        x="212"
        y="90"
        width="56"
        height="28"
        rx="6"
        fill="var(--surface)"
        stroke="var(--ink-soft)"
        strokeWidth="2"
      />
      <path d="M224 100h8M236 100h8M248 100h8" stroke={lamp} strokeWidth="4" />
      <path d="M222 110h36" stroke="var(--line-strong)" strokeWidth="2" />
      <g transform="translate(290 40)">
        <path d="M0 0v58" stroke="var(--ink-soft)" strokeWidth="2.5" strokeLinecap="round" />
        <path
          d="M0 10h30"
          stroke={lamp}
          strokeWidth="8"
          strokeLinecap="round"
          transform={clear ? 'rotate(-38 0 10)' : 'rotate(0 0 10)'}
          className="transition-transform duration-500"
        />
        <circle cx="0" cy="10" r="5.5" fill="var(--surface)" stroke={lamp} strokeWidth="3" />
      </g>
    </svg>
  )
}
