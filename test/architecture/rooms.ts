import { importsOf, show } from './imports.ts'
import { isTest, type Sources } from './source.ts'

/** The gateway from the top down: a room imports only from the rooms below it. */
export const gatewayRooms = [
  ['index.ts', 'routes.ts', 'default-model-routes.ts', 'model-caller.ts'],
  ['sockets/'],
  ['apis/'],
  ['request/'],
  ['routing/'],
  ['catalog/'],
  ['api.ts'],
  ['providers/'],
  ['chat/'],
  ['passthrough/'],
  ['wire/'],
  ['transport/'],
  ['provider.ts'],
  ['reference/'],
  ['contract.ts'],
  ['route-contract.ts'],
  ['provider-names.ts'],
] as const

const folder = 'src/gateway/'

/** Imports within the gateway that run upwards, and files that belong to no room. */
export function roomViolations(sources: Sources): string[] {
  const product = new Map([...sources].filter(([file]) => file.startsWith(folder) && !isTest(file)))
  const outside = [...product.keys()].filter((file) => floorOf(file) === -1)
  const upward = importsOf(product).filter(
    ({ from, to }) => to.startsWith(folder) && floorOf(from) > floorOf(to) && floorOf(to) !== -1,
  )
  return [
    ...outside.map((file) => `${file} belongs to no room`),
    ...upward.map((edge) => `${show(edge)} (upwards)`),
  ]
}

function floorOf(file: string): number {
  const inside = file.slice(folder.length)
  return gatewayRooms.findIndex((room) =>
    room.some((name) => (name.endsWith('/') ? inside.startsWith(name) : inside === name)),
  )
}
