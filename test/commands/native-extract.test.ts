// The native code of the binary, put where the daemon loads it from.
import t from 'tap'
import { command } from '../../src/commands/native-extract.ts'
import { fakeHost } from '../support/fake-host.ts'

t.test('a tree of sources says that it has nothing to extract', async (t) => {
  const context = {
    host: fakeHost(t.testdir()),
    configPath: undefined,
    isJson: false,
    args: { dir: undefined },
    options: {},
    show: () => t.fail('there is nothing to show'),
    catalog: [],
  }
  await t.rejects(command.run(context), /only the binary/)
})
