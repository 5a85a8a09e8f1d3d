// stillup promote: lets the standby of this machine lead.
import { isRecord } from '../base/schema/pick.ts'
import { defineCommand } from './model/command.ts'
import { askRunning } from './model/daemon.ts'

export const command = defineCommand({
  about:
    'The machine that it followed must not run any more: whatever that one acknowledges from now on would ' +
    'be lost. It is told as soon as it answers, ends, and does not start again except as a standby.',
  examples: [['stillup promote', 'makes the standby the daemon, after its leader died']],
  options: {
    force: { about: 'although the leader still answers' },
  },
  exits: { 0: 'it leads', 1: 'it is no standby, has no copy yet, or its leader answers' },
  async run({ host, configPath, options, show }) {
    const request = { verb: 'promote', isForced: options.force }
    const answer = await askRunning(host, { configPath }, request)
    const newestAtMs = isRecord(answer) ? Number(answer.newestAtMs) : 0
    const newestAt = newestAtMs > 0 ? new Date(newestAtMs).toISOString() : null
    const until = newestAt === null ? '' : `, with everything until ${newestAt}`
    show({ newestAt }, `this machine leads now${until}`)
    return 0
  },
})
