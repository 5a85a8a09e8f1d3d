// The bucket in memory keeps the promises that a real one keeps, so tests may rely on it.
import t from 'tap'
import type { BackupRemote } from '../../../src/services/backups/remote.ts'
import { remoteContract } from '../../contracts/remote.contract.ts'
import { createMemoryRemote } from '../../support/memory-remote.ts'

t.test('what is put can be listed, read, replaced and removed', async (t) => {
  const remote: BackupRemote = createMemoryRemote()
  await remoteContract(t, remote)
})
