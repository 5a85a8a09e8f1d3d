// stillup doctor: looks for what keeps the daemon from working well on this machine. It changes
// nothing, and works before the first start, beside the running daemon, and with wrong settings.
import { exitCodes } from '../../base/exit.ts'
import { layeredSettings } from '../../config/load.ts'
import { isOneAddress } from '../../mail/address.ts'
import { createMachine } from '../../services/doctor/machine/machine.ts'
import { runChecks } from '../../services/doctor/run-checks.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { consoleSettings, viewDaemon } from './daemon-port.ts'
import { isWell, reportDocument, reportLines } from './report.ts'

export const command = defineCommand({
  about:
    'Everything is looked at side by side, in less than ten seconds. Each finding has a line of ' +
    'advice. Run it as root, or as the user of the daemon, so that it may see everything.',
  options: {
    sendMail: { about: 'send a letter to this address through mail.smtpUrl', value: 'ADDRESS' },
    all: { about: 'show what was seen also where all is well' },
  },
  examples: [
    ['stillup doctor', 'what is wrong, and what to do about it'],
    ['stillup doctor --send-mail you@example.com', 'whether letters arrive'],
    ['stillup doctor --json', 'for a program'],
  ],
  exits: { 0: 'no problem was found', 1: 'there is a problem' },
  async run({ host, configPath, options, isJson, show }) {
    const { sendMail } = options
    if (sendMail !== undefined && !isOneAddress(sendMail)) {
      throw new CommandFailure(exitCodes.usage, '--send-mail must be one e-mail address')
    }
    const settled = layeredSettings({ ...host, configPath, isForCommand: true })
    const { dir } = settled().settings.data
    const loaded = settled(await consoleSettings(dir))
    const { clock, version, env } = host
    const world = createMachine({
      clock,
      version,
      env,
      loaded,
      mailTo: sendMail ?? null,
      viewDaemon: () => viewDaemon(dir),
    })
    const findings = await runChecks(world)
    const hasColor = host.isOutputTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
    const lines = isJson ? [] : reportLines(findings, { version, hasColor, isFull: options.all })
    show(reportDocument(findings, version), ...lines)
    return isWell(findings) ? exitCodes.ok : exitCodes.failed
  },
})
