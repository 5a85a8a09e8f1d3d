// stillup standby: keeps a copy of the data of a daemon elsewhere, and takes its place when it is promoted.
import { resolve } from 'node:path'
import { exitCodes } from '../base/exit.ts'
import { serviceAddress } from '../config/kinds.ts'
import { proxyOf } from './addresses.ts'
import { defineCommand } from './model/command.ts'
import { CommandFailure } from './model/failure.ts'
import { settingsToServe } from './model/settings.ts'
import { serve } from './serve.ts'

export const command = defineCommand({
  about:
    'The daemon there needs cluster.standby, and this machine the same master key. Whatever that daemon ' +
    'acknowledges is on this machine too, as long as the two are connected. While it follows, it answers ' +
    '/healthz, and everything else with 503. stillup promote lets it lead: it is the daemon then, also ' +
    'after a restart. HTTPS_PROXY and NO_PROXY are honoured.',
  examples: [
    ['stillup standby --of https://status.example.com', 'follows that daemon until it is promoted'],
  ],
  options: {
    of: { value: 'URL', about: 'the address of the daemon to follow' },
    ca: {
      value: 'FILE',
      completes: 'file',
      about: 'more authorities, in PEM, that the daemon may be certified by',
    },
    replace: {
      about: 'take the place of data that is there and no copy of it, which is kept beside it',
    },
  },
  exits: { 0: 'stopped by a signal', 1: 'a second signal ended it at once' },
  hasJson: false,
  async run({ host, configPath, options }) {
    if (!settingsToServe(host, { configPath })) return exitCodes.config
    const of = addressIn(options.of)
    const caFile = options.ca === undefined ? undefined : resolve(host.cwd, options.ca)
    const more = { of, caFile, proxy: proxyOf(host.env), mayReplace: options.replace }
    return serve(host, { configPath }, async (own, world) => {
      const start = await host.loadStandby()
      return start(own, world, more)
    })
  },
})

function addressIn(text: string | undefined): string {
  if (text === undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      'standby needs the address of the daemon to follow: --of https://status.example.com',
    )
  }
  const url = serviceAddress.parse(text)
  if (url !== undefined) return url.replace(/\/$/, '')
  throw new CommandFailure(exitCodes.usage, `--of must be ${serviceAddress.allowed}`)
}
