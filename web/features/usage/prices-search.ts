export interface PricesSearch {
  q?: string
  /** The model whose price and its history are open. */
  model?: string
}

export function readPricesSearch(search: Record<string, unknown>): PricesSearch {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const [q, model] = [text(search['q']), text(search['model'])]
  return { ...(q !== '' && { q }), ...(model !== '' && { model }) }
}
