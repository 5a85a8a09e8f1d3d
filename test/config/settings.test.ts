// The table of settings and the commented file made from it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { exampleFile } from '../../src/config/example.ts'
import { loadSettings } from '../../src/config/load.ts'
import { defaultBaseUrl, type Setting, table, variableOf } from '../../src/config/settings.ts'

const all = Object.entries(table).flatMap(([section, names]) =>
  Object.entries(names).map(([name, setting]) => ({
    section,
    name,
    setting: setting as Setting<unknown>,
  })),
)

t.test('config/stillup.toml lists every setting with its default', async (t) => {
  const file = join(import.meta.dirname, '../../config/stillup.toml')
  t.equal(readFileSync(file, 'utf8'), exampleFile(), 'else: npm run config')
})

t.test('the file changes nothing, and is valid with every # removed', async (t) => {
  const strip = (text: string) => text.replace(/^#(?=\w+ = )/gm, '')
  const cwd = t.testdir({ 'a.toml': exampleFile(), 'b.toml': strip(exampleFile()) })
  const from = (configPath?: string) => loadSettings({ configPath, env: {}, cwd, isTerminal: true })
  const plain = from()
  t.ok('settings' in plain)
  const asItComes = from('a.toml')
  t.same('settings' in asItComes && asItComes.settings, 'settings' in plain && plain.settings)
  const uncommented = from('b.toml')
  t.match(uncommented, { settings: { http: { statusDomain: 'status.example.net' } } })
})

t.test('every setting is described by a sentence and its default is allowed', async (t) => {
  for (const { section, name, setting } of all) {
    const path = `${section}.${name}`
    t.match(setting.doc, /^.{20,}\.$/, path)
    const raw = setting.fallback ?? setting.example
    const listen = raw as { host: string; port: number }
    const written = path === 'http.listen' ? `${listen.host}:${listen.port}` : raw
    t.not(setting.kind.parse(written), undefined, path)
  }
})

t.test('a variable is named after its setting, and no two share one', async (t) => {
  t.equal(variableOf('http', 'baseUrl'), 'STILLUP_HTTP_BASE_URL')
  t.equal(variableOf('data', 'masterKeyFile'), 'STILLUP_DATA_MASTER_KEY_FILE')
  const names = all.flatMap(({ section, name, setting }) => {
    const variable = variableOf(section, name)
    return setting.isSecret ? [variable, `${variable}_FILE`] : [variable]
  })
  t.equal(new Set(names).size, names.length)
})

t.test('without a base address, links lead to where the daemon listens', async (t) => {
  t.equal(defaultBaseUrl({ host: '127.0.0.1', port: 80 }), 'http://127.0.0.1:80')
  t.equal(defaultBaseUrl({ host: '::1', port: 80 }), 'http://[::1]:80')
  t.equal(defaultBaseUrl({ host: '0.0.0.0', port: 80 }), 'http://localhost:80')
})
