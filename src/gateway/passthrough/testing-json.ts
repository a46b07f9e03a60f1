const usual = ['', 'a', '"', '\\', '\\"', '{', ']', 'é', '🙂', '\n', ',":', 'x'.repeat(300)]

/** Values of every kind, the same in every run, with texts that a careless reader stumbles over. */
export function createRandomJson(more: readonly string[] = []) {
  const texts = [...usual, ...more]
  let seed = 7

  function next(limit: number): number {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % limit
  }

  function value(depth = 0): unknown {
    const kind = next(depth > 3 ? 4 : 6)
    if (kind === 0) return texts[next(texts.length)]
    if (kind === 1) return next(1000) / 8 - 50
    if (kind === 2) return [true, false, null][next(3)]
    if (kind === 3) return texts.map((text) => text + texts[next(texts.length)]).join('')
    if (kind === 4) return Array.from({ length: next(4) }, () => value(depth + 1))
    return object(depth)
  }

  // A name that is one escaped character alone would meet a fault of V8's parser, which may take it for another.
  function name(index: number): string {
    return more[next(more.length * 2 + 1)] ?? `${texts[next(texts.length)]}${index}`
  }

  function object(depth = 0): Record<string, unknown> {
    return Object.fromEntries(Array.from({ length: next(5) }, (_, index) => [name(index), value(depth + 1)]))
  }

  return { next, value, object }
}
