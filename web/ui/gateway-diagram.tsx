/** Clients on the left, Signalbox in the middle, providers on the right. */
export function GatewayDiagram({ active, className }: { active: boolean; className?: string }) {
  const colour = active ? 'var(--success-strong)' : 'var(--primary)'
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
      <path d="M132 104h196" stroke={colour} strokeWidth="3" strokeLinecap="round" />
      <g fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2.5">
        <circle cx="88" cy="52" r="5" />
        <circle cx="88" cy="104" r="5" />
        <circle cx="88" cy="156" r="5" />
        <circle cx="412" cy="64" r="5" />
        <circle cx="412" cy="104" r="5" />
        <circle cx="412" cy="144" r="5" />
      </g>
      <rect
        x="206"
        y="84"
        width="68"
        height="40"
        rx="9"
        fill="var(--surface)"
        stroke="var(--ink-soft)"
        strokeWidth="2"
      />
      <path d="M220 97h10M235 97h10M250 97h10" stroke={colour} strokeWidth="4" strokeLinecap="round" />
      <path d="M220 111h40" stroke="var(--line-strong)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
