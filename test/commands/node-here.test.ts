// Which first steps are printed depends on this: those with alerts need `node`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isNodeHere } from '../../src/commands/node-here.ts'
import { doctorWorld } from '../support/doctor-world.ts'

t.test('node counts where the shell finds it, and not in a container', async (t) => {
  const PATH = `/nowhere::${t.testdir()}`
  const { files } = doctorWorld()
  t.equal(await isNodeHere({ PATH }, files), false, 'there is none')
  t.equal(await isNodeHere({}, files), false, 'there is no PATH')
  const node = join(t.testdirName, 'node')
  writeFileSync(node, '#!/bin/sh\n', { mode: 0o755 })
  t.equal(await isNodeHere({ PATH }, files), true)
  t.equal(await isNodeHere({ PATH, container: 'podman' }, files), false)
  const inside = doctorWorld({ files: { '/.dockerenv': '' } })
  t.equal(await isNodeHere({ PATH }, inside.files), false)
})
