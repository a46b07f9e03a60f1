import { shortDollars } from '../../ui/money.ts'

/** `$2`, `$0.50`, `$0.0005` */
export const dollarAxis = (value: number) =>
  shortDollars(value.toFixed(6))
    .replace(/(\.\d\d\d*?)0+$/, '$1')
    .replace(/\.00$/, '')
