// Where native code may lie: what the operator says, then what root installed, then caches.
import t from 'tap'
import { installedPlace, loadAddon, placesOf } from '../../../src/base/native/addons.ts'

const execPath = '/usr/local/bin/stillup'
const dirs = (env: Record<string, string>) => placesOf(env, execPath, 7).map(({ dir }) => dir)

t.test('the place that the operator names is the only one', async (t) => {
  t.same(dirs({ STILLUP_NATIVE_DIR: '/opt/native', CACHE_DIRECTORY: '/var/cache/stillup' }), [
    '/opt/native',
  ])
})

t.test('what root installed comes first, and is only read', async (t) => {
  t.equal(installedPlace(execPath), '/usr/local/lib/stillup/native')
  const places = placesOf({ HOME: '/root' }, execPath, 7)
  t.same(
    places.filter(({ mayWrite }) => !mayWrite).map(({ dir }) => dir),
    ['/usr/local/lib/stillup/native'],
  )
  t.equal(places[0]?.mayWrite, false)
})

t.test(
  'then come the directories of systemd, those of the user, and the temporary one',
  async (t) => {
    t.same(dirs({ CACHE_DIRECTORY: '/var/cache/a:/var/cache/b', STATE_DIRECTORY: '/var/lib/a' }), [
      '/usr/local/lib/stillup/native',
      '/var/cache/a/native',
      '/var/lib/a/native',
      '/tmp/stillup-native-7',
    ])
    t.same(dirs({ HOME: '/home/ann', TMPDIR: '/var/tmp' }).slice(1), [
      '/home/ann/.cache/stillup/native',
      '/var/tmp/stillup-native-7',
    ])
  },
)

t.test('among the sources there is no addon of the program', async (t) => {
  t.throws(() => loadAddon('lmdb.node'), { code: 'ENOENT' })
})
