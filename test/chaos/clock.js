/*
 * Loaded before the server: SIGUSR2 puts its clock an hour forward, the next one an hour back, the third one right
 * again. A program cannot change the clock of a machine that others use.
 */
const hour = 3_600_000
const offsets = [hour, -hour, 0]
let offset = 0
const Real = Date

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offset)
    else super(...given)
  }
  static now() {
    return Real.now() + offset
  }
}

process.on('SIGUSR2', () => {
  offset = offsets.shift() ?? 0
})
