import { describeConfig, loadConfig } from '#kernel/config'

/** What the files for deployment may set: settings of Signalbox, and those of the programs beside it. */
export const settings = new Set([
  ...describeConfig(loadConfig({}), {}).map(({ name }) => name),
  'NODE_ENV',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'POSTGRES_USER',
])
