// Subscribers who confirmed elsewhere, by the command line: a table, looked at first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { movingWorld } from '../../support/moving-world.ts'

t.test(
  'a table is looked at, and then its subscribers come; what is wrong is told by row',
  async (t) => {
    const { daemon, alice, cwd, cli } = await movingWorld(t, { PAGES_IMPORT_SUBSCRIBERS: 'always' })
    const { cookie, org } = alice
    const json = { name: 'Acme', slug: 'acme-cli' }
    const page = await daemon.need('POST', `${org}/status-pages`, { cookie, json })
    const active = async () =>
      (await daemon.need('GET', `${org}/status-pages/${page.id}`, { cookie })).subscribers.active
    const file = (name: string, text: string) => writeFileSync(join(cwd, name), text)
    file('readers.csv', 'email,confirmedAt\nann@r.test,2025-03-01\nbob@r.test,2025-03-02\n')
    const command = ['import-subscribers', 'readers.csv', '--org', alice.orgId]
    t.match(await cli('import-subscribers', 'readers.csv'), { code: 64, err: /needs --org/ })
    t.match(await cli(...command, '--page', 'acme-cli'), {
      code: 1,
      err: /row 2: source must say where the address confirmed/,
    })
    const whole = [...command, '--page', 'acme-cli', '--consent', 'our shop']
    t.match(await cli(...whole, '--dry-run'), { code: 0, out: /^2 subscribers would come along/ })
    t.equal(await active(), 0)
    t.match(await cli(...whole), { code: 0, out: '2 subscribers came along, confirmed' })
    t.equal(await active(), 2)
    t.match(await cli(...whole), {
      out: '0 subscribers came along, confirmed: they are not asked again; 2 subscribed already.',
    })
    file('none.csv', 'email\n')
    t.match(await cli('import-subscribers', 'none.csv', '--org', alice.orgId), {
      out: 'Nobody is in the table.',
    })
  },
)
