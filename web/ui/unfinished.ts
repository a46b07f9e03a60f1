import type uPlot from 'uplot'

const mark = ' (unfinished)'

/** Names a step, and says that it is not over: its figures are lower than they will be. */
export const unfinishedText = (text: string, end: number, now = Date.now()): string =>
  end > now ? `${text}${mark}` : text

/** Stripes over the columns of steps that are not over, in the colour of what is behind them. */
export function stripeUnfinished(steps: readonly string[], colour: string): (plot: uPlot) => void {
  const places = steps.flatMap((step, place) => (step.endsWith(mark) ? [place] : []))
  return (plot) => {
    for (const place of places) {
      const [left, right] = [place - 0.5, place + 0.5].map((edge) => plot.valToPos(edge, 'x', true))
      stripe(plot, left ?? 0, right ?? 0, colour)
    }
  }
}

function stripe({ ctx, bbox }: uPlot, left: number, right: number, colour: string): void {
  const { top, height } = bbox
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, right - left, height)
  ctx.clip()
  ctx.beginPath()
  ctx.strokeStyle = colour
  ctx.lineWidth = 2 * devicePixelRatio
  for (let x = left - height; x < right; x += 6 * devicePixelRatio) {
    ctx.moveTo(x, top + height)
    ctx.lineTo(x + height, top)
  }
  ctx.stroke()
  ctx.restore()
}
