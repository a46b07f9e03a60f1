import { countText } from '../../ui/quantity.ts'

/** `12`, `100+`. */
export const shownCount = ({ count, is_more }: { count: number; is_more: boolean }): string =>
  countText(count) + (is_more ? '+' : '')
