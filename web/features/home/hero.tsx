import { Lamp } from '../../ui/lamp.tsx'
import { LineDiagram } from '../../ui/line-diagram.tsx'

export function Hero({ used, group }: { used: boolean; group: string }) {
  return (
    <header className="relative overflow-hidden rounded-2xl border border-line bg-surface p-6 shadow-low sm:p-8">
      <LineDiagram clear={used} className="absolute inset-y-0 right-0 hidden h-full w-1/2 md:block" />
      <div className="relative max-w-md">
        <p className="text-sm font-medium text-ink-soft" role="status">
          {used ? (
            <Lamp aspect="clear">Line clear: calls are coming in</Lamp>
          ) : (
            <Lamp aspect="caution" blinking>
              Waiting for the first call
            </Lamp>
          )}
        </p>
        <h1 className="mt-3 text-2xl font-semibold tracking-tight">Your box is running</h1>
        <p className="mt-1.5 text-pretty text-ink-soft">
          Point your programs and agents at it, and every passage of <span className="text-ink">{group}</span>{' '}
          is entered in the register.
        </p>
      </div>
    </header>
  )
}
