// The commands of the documents work as they stand: a shell runs them against a daemon.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { shellBlocks } from '../../scripts/docs/blocks.ts'
import { tryDocuments } from '../../scripts/docs/try.ts'
import { createDocsWorld } from '../../scripts/docs/world.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { loadSettings } from '../../src/config/load.ts'
import { timedLog } from '../../src/services/standby/timed-log.ts'
import { testCertificates } from '../support/certificates.ts'
import { isDeep } from '../support/depth.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'

const root = join(import.meta.dirname, '../..')
const blocks = shellBlocks(root)

t.test(
  'every command of the documents does what it says',
  {
    skip: skipWithout('bash', 'curl', 'jq', 'openssl', 'xxd'),
  },
  async (t) => {
    // Each start of the command line takes half a second.
    const tried = blocks.filter(({ code, way }) => isDeep || (!/\bstillup /.test(code) && !way))
    const world = await createDocsWorld(testFolder(t))
    t.teardown(() => world.stop())
    const metrics = (await (await fetch(`${world.url}/metrics`)).text()) + (await ofCluster())
    const named = readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(metricName)
    for (const [name] of named) t.ok(metrics.includes(name), `there is a metric ${name}`)
    const failed = await tryDocuments(world, tried)
    for (const { block, said } of failed)
      t.fail(`${block.file}:${block.line}\n${block.code}\n${said}`)
    t.ok(tried.filter(({ mark }) => mark === undefined).length >= (isDeep ? 75 : 45))
  },
)

t.test('few commands cannot be tried', async (t) => {
  const left = blocks.filter(({ mark }) => mark !== undefined)
  const commands = new Set(left.map(({ code }) => code))
  t.ok(
    commands.size <= 26,
    `${commands.size}: ${left.map(({ file, line }) => `${file}:${line}`).join(', ')}`,
  )
})

/** The metrics that only a daemon in a cluster has. */
async function ofCluster(): Promise<string> {
  const metrics = createMetrics()
  const log = { sequenceAfter: (after: number) => after + 1, append: async () => {} }
  timedLog(log, { monoMs: () => 0 }, metrics)
  return metrics.text()
}

const metricName = /\b(?:stillup|nodejs|process)_[a-z0-9_]+/g

t.test('the daemon takes every settings file of the documents', async (t) => {
  const key = join(testFolder(t, { key: '00'.repeat(32) }), 'key')
  for (const file of globSync('docs/{,kinds/}*.md', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, block = ''] of text.matchAll(/^```toml\n(.*?)^```/gms)) {
      const toml = block.replace(/"\/etc\/stillup\/[^"]+"/g, `"${key}"`)
      const cwd = testFolder(t, { 'stillup.toml': toml })
      const configPath = join(cwd, 'stillup.toml')
      const loaded = loadSettings({ configPath, env: {}, cwd, isTerminal: false })
      t.same('problems' in loaded ? loaded.problems : [], [], file)
    }
  }
})

/** The first block of a language in a document. */
function blockOf(file: string, language: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? ''
}

t.test('the whole file for nginx has the lines that are tried behind nginx', async (t) => {
  const whole = blockOf('docs/reverse-proxy.md', 'nginx')
  const lines = blockOf('docs/operating.md', 'nginx')
    .split('\n')
    .map((line) => line.trim())
  t.ok(lines.length > 5)
  for (const line of lines) t.ok(whole.includes(line), line)
})

t.test('nginx takes the files for it', { skip: skipWithout('nginx') }, async (t) => {
  const { cert, key } = testCertificates.good
  for (const file of ['docs/reverse-proxy.md', 'docs/status-pages.md']) {
    const folder = testFolder(t, { 'fullchain.pem': cert, 'privkey.pem': key })
    // It tries the ports, too.
    const servers = blockOf(file, 'nginx')
      .replace(/\/etc\/letsencrypt\/live\/[^/]+/g, folder)
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${await freePort()} ssl;`)
    const files = `pid ${folder}/pid; error_log ${folder}/log;`
    writeFileSync(join(folder, 'nginx.conf'), `${files} events {} http { ${servers} }`)
    const args = ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')]
    const { status, stderr } = spawnSync('nginx', args, { encoding: 'utf8' })
    t.equal(status, 0, `${file}: ${stderr}`)
  }
})

t.test('Caddy takes the Caddyfiles', { skip: skipWithout('caddy') }, async (t) => {
  for (const file of [
    'docs/reverse-proxy.md',
    'docs/status-pages.md',
    'docs/standby.md',
    'docs/cluster.md',
  ]) {
    const config = join(testFolder(t, { Caddyfile: blockOf(file, 'caddyfile') }), 'Caddyfile')
    const args = ['adapt', '--adapter', 'caddyfile', '--config', config]
    const { status, stderr } = spawnSync('caddy', args, { encoding: 'utf8' })
    t.equal(status, 0, `${file}: ${stderr}`)
  }
})
