/** The name of the variable that `npm run audit` sets. */
export const auditVariable = 'SIGNALBOX_AUDIT'

/** How often a test repeats what it does: as often as shows the guarantee, and many times in `npm run audit`. */
export function rounds(usual: number, audit: number): number {
  return process.env[auditVariable] === undefined ? usual : audit
}
