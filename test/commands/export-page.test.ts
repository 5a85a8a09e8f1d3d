// A page as files, asked for on the command line, and served by another web server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { fakeHost, typed } from '../support/fake-host.ts'
import { testFolder } from '../support/test-folder.ts'

t.test('a page is written to a directory, relative to where the command runs', async (t) => {
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { cookie, orgId } = await register(daemon, 'ada', daemon.setupToken)
  await daemon.need('POST', `/orgs/${orgId}/status-pages`, {
    cookie,
    json: { name: 'Acme', slug: 'acme' },
  })
  const host = fakeHost(testFolder(t), { STILLUP_DATA_DIR: daemon.dir })
  t.equal(await typed(host, 'export-page', 'acme', 'site'), 0)
  t.match(host.printed[0], /site: \d+ files, \d+ of them new or changed$/)
  t.match(readFileSync(join(host.cwd, 'site/index.html'), 'utf8'), 'Acme')

  t.equal(await typed(host, 'export-page', 'nobody', 'other'), 1)
  t.match(host.complaints[0], 'status page')
  const alone = fakeHost(testFolder(t, { data: {} }), { STILLUP_DATA_DIR: testFolder(t) })
  t.equal(await typed(alone, 'export-page', 'acme', 'site'), 1)
  t.same(alone.printed, [])
})
