// The container: what the Dockerfile, compose.yaml and the Caddyfile say.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { stopMsMax } from '../src/commands/serve.ts'
import { defaultsOf } from './support/compose.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Instruction {
  readonly word: string
  readonly text: string
}

/** The instructions of the Dockerfile, in stages. */
function stages(): Instruction[][] {
  const lines = read('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const parts: Instruction[][] = []
  for (const line of lines) {
    const [, word = '', text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (word === 'FROM') parts.push([])
    parts.at(-1)?.push({ word, text })
  }
  return parts
}

const image = stages().at(-1) ?? []
const textOf = (word: string) => image.findLast((one) => one.word === word)?.text ?? ''
const { version } = JSON.parse(read('package.json'))

t.test('the image has no shell and no root, and says when the daemon is well', async (t) => {
  t.equal(textOf('FROM'), 'scratch')
  t.notOk(
    image.some(({ word }) => word === 'RUN'),
    'nothing runs where there is no shell',
  )
  t.match(textOf('USER'), /^[1-9]\d*:[1-9]\d*$/, 'by number: engines can see that it is not root')
  t.same(JSON.parse(textOf('ENTRYPOINT')), ['/usr/local/bin/stillup'])
  t.same(JSON.parse(textOf('CMD')), ['serve'])
  const [, probe = ''] = /CMD (\[.*\])$/.exec(textOf('HEALTHCHECK')) ?? []
  t.same(JSON.parse(probe), ['/usr/local/bin/stillup', 'healthcheck'])
  t.equal(textOf('STOPSIGNAL'), 'SIGTERM')
})

t.test('data survives in a volume of the daemon’s user', async (t) => {
  t.same(JSON.parse(textOf('VOLUME')), ['/var/lib/stillup'])
  t.match(textOf('ENV'), 'STILLUP_DATA_DIR=/var/lib/stillup')
  const owned = image.find(({ text }) => text.endsWith('/var/lib/'))
  t.match(owned?.text, `--chown=${textOf('USER')}`)
  t.match(read('scripts/container/root.sh'), 'stillup:x:1000:1000:', 'and this user has a name')
})

t.test('labels and the port are those of the program', async (t) => {
  const labels = Object.fromEntries(
    [...textOf('LABEL').matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(
      ([, name = '', value]) => [name, value],
    ),
  )
  t.match(labels, { title: 'stillup', version, licenses: 'MIT', description: /Uptime/ })
  t.equal(textOf('EXPOSE'), '8080')
  t.match(textOf('ENV'), 'STILLUP_HTTP_LISTEN=0.0.0.0:8080')
})

t.test(
  'ping needs no capability, and native code lies where the daemon cannot write',
  async (t) => {
    const script = read('scripts/container/root.sh')
    t.match(script, /^install -m 755 usr\/bin\/ping /m, 'a copy drops the capability')
    t.match(textOf('COPY'), '/usr/local/bin/stillup')
    const addons = image.find(({ text }) => text.includes('/usr/local/lib/stillup/native/'))
    t.notMatch(addons?.text, '--chown')
  },
)

t.test('the builder has everything that the build reads, and no more of a clone', async (t) => {
  const sent = read('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  for (const path of sent) t.ok(existsSync(join(root, path)), path)
  for (const { word, text } of stages().flat()) {
    if (word !== 'COPY' || text.startsWith('--from')) continue
    for (const path of text.split(' ').slice(0, -1)) {
      if (path !== '.') t.ok(sent.includes(path.split('/')[0] ?? ''), `${path} is sent`)
    }
  }
  for (const path of ['.git', 'data', 'node_modules', 'secrets', '.env']) {
    t.notOk(sent.includes(path), `${path} stays here`)
  }
})

t.test('compose.yaml runs the image as it is meant, with its secrets in files', async (t) => {
  const { services, networks, volumes, secrets } = parse(defaultsOf(read('compose.yaml')))
  const { stillup, caddy } = services
  t.equal(stillup.image, `stillup:${version}`)
  t.match(stillup, {
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    restart: 'unless-stopped',
  })
  t.ok(Number.parseInt(stillup.stop_grace_period, 10) * 1_000 > stopMsMax)
  const [kind, ...probe] = stillup.healthcheck.test
  const [, own = ''] = /CMD (\[.*\])$/.exec(textOf('HEALTHCHECK')) ?? []
  t.equal(kind, 'CMD')
  t.same(probe, JSON.parse(own))
  t.equal(stillup.ports, undefined, 'only Caddy can be reached')
  const [place] = JSON.parse(textOf('VOLUME'))
  t.ok(stillup.volumes.includes(`data:${place}`))
  for (const name of Object.keys(secrets)) {
    t.ok(stillup.secrets.includes(name))
    t.notOk(caddy.secrets, 'Caddy gets none')
  }
  t.equal(stillup.environment.STILLUP_DATA_MASTER_KEY_FILE, '/run/secrets/master-key')
  const shared = stillup.networks.filter((name: string) => caddy.networks.includes(name))
  t.same(shared, ['inside'])
  const [{ subnet }] = networks.inside.ipam.config
  t.equal(stillup.environment.STILLUP_HTTP_TRUSTED_PROXIES, subnet)
  t.ok(networks.inside.internal, 'nothing else is in the network that is trusted')
  for (const { volumes: used = [] } of [stillup, caddy]) {
    for (const entry of used) {
      const [source = ''] = entry.split(':')
      if (source.startsWith('./')) t.ok(existsSync(join(root, source)), source)
      else t.ok(source in volumes, source)
    }
  }
})

t.test('a browser beside it is bounded, and has no way out', async (t) => {
  const { services, networks } = parse(read('compose.browser.yaml'))
  const { stillup, browser } = services
  t.match(read('config/stillup.toml'), Object.keys(stillup.environment)[0])
  const before: string[] = parse(defaultsOf(read('compose.yaml'))).services.stillup.networks
  t.same(stillup.networks, [...before, 'browser'])
  t.same(browser.networks, ['browser'])
  t.same(networks, { browser: { internal: true } })
  t.match(browser, {
    ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
    ...{ mem_limit: '1536m', pids_limit: 512 },
  })
  const unit = read('systemd/stillup-browser.service')
  for (const word of browser.command) t.ok(unit.includes(` ${word} `), word)
})

t.test('the variables of compose.yaml are settings', async (t) => {
  const { stillup } = parse(defaultsOf(read('compose.yaml'))).services
  const defaults = read('config/stillup.toml')
  for (const name of Object.keys(stillup.environment)) {
    t.match(defaults, new RegExp(`\\b${name}\\b`), name)
  }
})

t.test('the Caddyfile asks and leads to the port of the image', async (t) => {
  const caddyfile = read('config/Caddyfile')
  const port = textOf('EXPOSE')
  t.match(caddyfile, `ask http://stillup:${port}/internal/tls-ask`)
  t.match(caddyfile, `reverse_proxy stillup:${port}`)
})
