// How the parts of a command are spelled in help, and what a wrong settings file looks like.
import t from 'tap'
import { defineCommand } from '../../../src/commands/model/command.ts'
import { commandHelp, usageOf } from '../../../src/commands/model/help.ts'
import { settingsFor } from '../../../src/commands/model/settings.ts'
import { fakeHost } from '../../support/fake-host.ts'

const grow = defineCommand({
  about: 'It takes years.',
  args: {
    treeId: { about: 'the tree' },
    fruits: { about: 'what it bears', isOptional: true, isMany: true },
  },
  options: { maxHeight: { about: 'the height', value: 'METRES', short: 'm', default: '9' } },
  examples: [['stillup grow oak', 'grows an oak']],
  exits: { 1: 'it died' },
  run: async () => 0,
})

t.test('names are in capitals or kebab-case, and defaults are shown', async (t) => {
  t.equal(usageOf('grow', grow), 'Usage: stillup grow TREE-ID [FRUITS...] [options]')
  const text = commandHelp('npx stillup', { name: 'grow', summary: 'grow a tree', command: grow })
  t.match(text, /^Grow a tree\.\nIt takes years\.$/m)
  t.match(text, /^ {2}-m, --max-height METRES +the height \(default: 9\)$/m)
  t.match(text, /^ {2}npx stillup grow oak\n {6}grows an oak$/m)
  t.match(text, /^ {3}1 +it died$/m)
})

t.test('settings that cannot be used are told line by line', async (t) => {
  const host = fakeHost(t.testdir(), { STILLUP_CHECKS_PER_HOST: '0', STILLUP_LOG_LEVEL: 'loud' })
  t.throws(() => settingsFor(host, { configPath: undefined }), /not valid/)
  t.equal(host.complaints.length, 2)
})
