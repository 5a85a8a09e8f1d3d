// Imports by the command line: their list, and an undo that can be looked at first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { movingWorld } from '../../support/moving-world.ts'

t.test('an import is listed, and taken back after a look', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const document = {
    format: 'stillup/1',
    source: { product: 'kuma', installation: 'a' },
    monitors: [{ origin: 'monitor/1', name: 'Job', checkType: 'push' }],
  }
  writeFileSync(join(cwd, 'one.json'), JSON.stringify(document))
  const monitors = async () =>
    (await daemon.need('GET', `${alice.org}/monitors`, { cookie: alice.cookie })).length
  const before = await monitors()
  const { out } = await cli('import', 'one.json', '--org', alice.orgId, '--json')
  const { importId } = JSON.parse(out)
  t.match(await cli('imports', alice.orgId), {
    code: 0,
    out: new RegExp(`${importId} .*kuma .*applied`),
  })
  const undo = ['imports', alice.orgId, '--undo', importId]
  t.match(await cli(...undo, '--dry-run'), { out: /1 object deleted:\n {2}monitor: Job/ })
  t.equal(await monitors(), before + 1)
  t.match(await cli(...undo), { code: 0, out: /^Undone:/ })
  t.equal(await monitors(), before)
  t.match(await cli('imports', alice.orgId), { out: /undone/ })
  t.match(await cli(...undo), { code: 1, err: /was undone/ })
})
