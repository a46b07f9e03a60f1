/** Shapes of channels, deliveries and the bell. Browser-safe. */

export * from './shapes/bell.ts'
export * from './shapes/channel.ts'
export * from './shapes/delivery.ts'
export * from './shapes/notification.ts'
export * from './shapes/quiet-hours.ts'
