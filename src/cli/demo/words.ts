/** What the demo is about: the engineering of a small web shop. Names are first names only, of nobody. */

export const people = ['Ada', 'Ben', 'Mia', 'Tom'] as const
export const repository = 'https://git.demo.example/shop/checkout'
export const services = [
  { name: 'checkout', title: 'Checkout', description: 'Carts, payments and receipts' },
  { name: 'search', title: 'Product search', description: 'Finds products by words and filters' },
  { name: 'storefront', title: 'Storefront', description: 'The pages of the shop' },
  { name: 'mail', title: 'Mail', description: 'Receipts and messages to customers' },
] as const

export type ServiceName = (typeof services)[number]['name']

/** Work by service: what a ticket says, and what the session about it was asked. */
export const work: { service: ServiceName; title: string; slug: string }[] = [
  { service: 'checkout', title: 'Round totals once, at the end', slug: 'rounding' },
  { service: 'checkout', title: 'Show taxes in the cart', slug: 'taxes-in-cart' },
  { service: 'checkout', title: 'Keep the cart when a session ends', slug: 'keep-cart' },
  { service: 'checkout', title: 'Retry payments that time out', slug: 'retry-payments' },
  { service: 'checkout', title: 'Explain why a card was refused', slug: 'card-refused' },
  { service: 'checkout', title: 'Vouchers with an end date', slug: 'voucher-end' },
  { service: 'checkout', title: 'Address form for other countries', slug: 'address-form' },
  { service: 'checkout', title: 'Lock an order while it is paid', slug: 'lock-order' },
  { service: 'checkout', title: 'Split orders with two deliveries', slug: 'split-orders' },
  { service: 'checkout', title: 'Remove the old payment page', slug: 'old-payment' },
  { service: 'search', title: 'Find products by their number', slug: 'product-number' },
  { service: 'search', title: 'Rank products in stock first', slug: 'stock-first' },
  { service: 'search', title: 'Slow look-ups after a restart', slug: 'slow-lookups' },
  { service: 'search', title: 'Suggest words while typing', slug: 'suggest' },
  { service: 'search', title: 'Filter by colour', slug: 'colour-filter' },
  { service: 'search', title: 'Rebuild the index without a pause', slug: 'rebuild-index' },
  { service: 'search', title: 'Synonyms for sizes', slug: 'synonyms' },
  { service: 'search', title: 'Empty results name similar products', slug: 'similar' },
  { service: 'storefront', title: 'Pictures in two sizes', slug: 'pictures' },
  { service: 'storefront', title: 'Keyboard use of the menu', slug: 'menu-keys' },
  { service: 'storefront', title: 'Product page without layout shift', slug: 'layout-shift' },
  { service: 'storefront', title: 'Cache the start page', slug: 'cache-start' },
  { service: 'storefront', title: 'Dark colours', slug: 'dark-colours' },
  { service: 'storefront', title: 'Show delivery times by region', slug: 'delivery-times' },
  { service: 'storefront', title: 'Favourites for guests', slug: 'favourites' },
  { service: 'storefront', title: 'Compare two products', slug: 'compare' },
  { service: 'storefront', title: 'Smaller script on the start page', slug: 'smaller-script' },
  { service: 'mail', title: 'Receipts are sent twice', slug: 'receipts-twice' },
  { service: 'mail', title: 'Plain text beside HTML', slug: 'plain-text' },
  { service: 'mail', title: 'Remind of carts after a day', slug: 'remind-carts' },
  { service: 'mail', title: 'Stop mails to closed accounts', slug: 'closed-accounts' },
  { service: 'mail', title: 'Queue for receipts', slug: 'receipt-queue' },
  { service: 'mail', title: 'Bounced addresses are marked', slug: 'bounces' },
  { service: 'mail', title: 'Templates are tested before a release', slug: 'templates' },
  { service: 'checkout', title: 'Refund a part of an order', slug: 'part-refund' },
  { service: 'checkout', title: 'Fewer queries in the cart', slug: 'cart-queries' },
]

export const causes: Record<ServiceName, [string, ...string[]]> = {
  checkout: ['Payments time out', 'The cart returns 500', 'Connections to the database are used up'],
  search: ['Responses take more than 2 s', 'The index was rebuilt during the day'],
  storefront: ['Pictures are not found', 'The start page returns 502'],
  mail: ['The queue is full', 'The mail server refuses messages'],
}
