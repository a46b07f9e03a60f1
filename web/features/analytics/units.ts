import { countText, durationText, percentText, uptimeText } from '../../ui/quantity.ts'

export const count = countText
export const share = percentText
export const percent = uptimeText

/** `1.4`, `12`: up to one digit after the point. */
export const rate = (value: number): string => countText(Math.round(value * 10) / 10)

export const seconds = (value: number): string => durationText(value * 1000)
export const hours = (value: number): string => seconds(value * 3600)
