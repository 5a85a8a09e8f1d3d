// The bundle does what the sources do, though it is another program: its threads, files and addons.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { billOfMaterials, thirdPartyLicences } from '../../scripts/build/bill-of-materials.ts'
import { makeBundle } from '../../scripts/build/bundle.ts'
import { writeCompiled } from '../../scripts/build/compiled.ts'
import { packagesIn } from '../../scripts/build/packages.ts'
import { ownArch, root } from '../../scripts/build/places.ts'
import { glibcVersionsNeeded } from '../../scripts/relink-uws.ts'
import { readTextFiles } from '../../scripts/texts/text-files.ts'
import { apartWord } from '../../src/base/apart/job.ts'
import { gameProtocols } from '../../src/domain/monitors/games.ts'
import { readTexts } from '../../src/texts/text-files.ts'
import { bareNode } from '../support/bare-node.ts'
import { needOf, registerWithKey } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { answer, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'

const arch = ownArch()

t.test('the build explains itself, and refuses what it does not know', async (t) => {
  const script = join(root, 'scripts/build/main.ts')
  const build = (...args: string[]) =>
    spawnSync(...bareNode([script, ...args]), { encoding: 'utf8' })
  t.match(build('--help'), {
    status: 0,
    stdout: /^Usage: npm run build[\s\S]*--release/,
    stderr: '',
  })
  t.match(build('--arch', 'mips'), {
    status: 64,
    stdout: '',
    stderr: /--arch is one of x64, arm64/,
  })
  t.match(build('--fast'), { status: 64, stdout: '', stderr: /--fast[\s\S]*Usage:/ })
})

t.test('the bundle', async (t) => {
  const bundle = await makeBundle(join(root, 'node_modules'), arch)
  const folder = testFolder(t)
  for (const [path, bytes] of bundle.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }

  await t.test('serves, stops, and reads its own data again', async (t) => {
    const dir = testFolder(t)
    const program = join(folder, 'main.cjs')
    for (const round of ['empty', 'used']) {
      const daemon = startProcess(t, dir, {}, 'unlimited', [], program)
      await daemon.ready()
      const paths = ['/healthz', '/docs', '/guide', '/']
      for (const path of paths) {
        const answer = await fetch(`${daemon.url}${path}`)
        t.equal(answer.status, 200, `${path}, ${round} directory`)
        await answer.arrayBuffer()
      }
      const missing = await fetch(`${daemon.url}/status/none`)
      t.match(await missing.text(), /There is no status page here/)
      t.equal((await daemon.stop()).code, 0)
    }
  })

  await t.test('makes checks in threads', async (t) => {
    const target = await startTarget(answer({ body: '<p class="state">fine</p>' }))
    t.teardown(() => target.close())
    const env = {
      STILLUP_AUTH_SETUP_TOKEN: 'a-setup-token-of-the-tests',
      STILLUP_CHECKS_WORKERS: '1',
      STILLUP_SYSTEM_TOKEN: 'a-system-token-of-the-tests-0123456789',
    }
    const program = join(folder, 'main.cjs')
    const daemon = startProcess(t, testFolder(t), env, 'unlimited', [], program)
    await daemon.ready()
    const owner = await registerWithKey(daemon, 'alice', env.STILLUP_AUTH_SETUP_TOKEN)
    const need = needOf(daemon, owner)
    const assertions = [{ source: 'html', path: '.state', type: 'equals', value: 'fine' }]
    const { id } = await need('POST', '/monitors', { name: 'A', url: target.url, assertions })
    t.match(await need('POST', `/monitors/${id}`), { outcome: 'up', status: 200 })
    const { text } = await daemon.ask('GET', '/metrics', { bearer: env.STILLUP_SYSTEM_TOKEN })
    t.match(text, /^stillup_check_threads 1$/m)
    t.equal((await daemon.stop()).code, 0)
  })

  await t.test('has code with it that V8 need not compile', async (t) => {
    await writeCompiled(folder)
    const script = `
      const { readFileSync } = require('node:fs')
      const code = require('node:module').wrap(readFileSync('main.cjs', 'latin1'))
      const cachedData = readFileSync('compiled')
      const program = new (require('node:vm').Script)(code, { cachedData })
      console.log(program.cachedDataRejected)`
    const [command, args] = bareNode(['-e', script])
    const { stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    t.equal(stdout, 'false\n')
  })

  await t.test('works apart, with the parser that it loads on demand', async (t) => {
    const text = "endpoints: [{name: site, url: 'http://127.0.0.1/'}]"
    const job = {
      thread: 'services/orgs/convert-thread',
      input: { product: 'gatus', text },
      cpuMsMax: 60_000,
      heapMbMax: 192,
      msMax: 60_000,
    }
    const [command, args] = bareNode([join(folder, 'main.cjs'), apartWord])
    const input = JSON.stringify(job)
    t.match(spawnSync(command, args, { input, encoding: 'utf8' }), {
      status: 0,
      stdout: /^\+\{"document":.*"name":"site"/,
    })
  })

  await t.test(
    'writes Parquet in a thread, with the library that it loads on demand',
    async (t) => {
      const script = `
      const { Worker } = require('node:worker_threads')
      const workerData = [{ name: 'monitorName', type: 'text' }, { name: 'at', type: 'time' }]
      const thread = new Worker('./services/orgs/history/parquet-thread.cjs', { workerData })
      const texts = { texts: ['Shop'], places: Uint32Array.of(1, 0) }
      thread.postMessage([texts, { numbers: Float64Array.of(1, 2) }])
      thread.postMessage(null)
      thread.on('message', (bytes) => console.log(Buffer.from(bytes).toString('latin1')))`
      const [command, args] = bareNode(['-e', script])
      const { stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
      t.match(stdout, /^PAR1.*Shop/s)
      t.match(stdout, /PAR1\n$/)
    },
  )

  await t.test('is text of one byte for each letter', async (t) => {
    for (const [path, code] of bundle.files) {
      if (path.endsWith('.cjs'))
        t.ok(
          code.every((byte) => byte < 0x80),
          path,
        )
    }
  })

  await t.test('has what is rarely used in files of its own, each of which loads', async (t) => {
    const paths = [...bundle.files.keys()].filter((path) => path.startsWith('libraries/'))
    t.match(paths, new Set(['libraries/nodemailer.cjs', 'libraries/yaml.cjs']))
    for (const path of paths) t.ok(createRequire(import.meta.url)(join(folder, path)), path)
    const games = createRequire(import.meta.url)(join(folder, 'libraries/gamedig.cjs')) as {
      readonly protocols: Readonly<Record<string, new () => { run: unknown }>>
    }
    t.same(Object.keys(games.protocols), gameProtocols, 'of games what is offered')
    for (const Protocol of Object.values(games.protocols)) t.type(new Protocol().run, 'function')
    const program = bundle.files.get('main.cjs')?.toString('latin1') ?? ''
    t.notMatch(program, /class SMTPConnection/, 'and the program is without it')
  })

  await t.test('has every text parsed, and no parser of texts', async (t) => {
    for (const { language, area } of readTextFiles()) {
      if (area.startsWith('console/')) continue
      const path = `texts/${language}/${area}.json`
      t.equal(bundle.files.get(path)?.toString(), JSON.stringify(readTexts(language, area)), path)
    }
    t.notOk(packagesIn(bundle.inputs, arch).some(({ name }) => name.startsWith('@formatjs/')))
  })

  await t.test('has addons that load on glibc 2.36', async (t) => {
    const addons = [...bundle.files].filter(([path]) => path.endsWith('.node'))
    t.equal(addons.length, arch === 'x64' ? 3 : 2)
    for (const [path, bytes] of addons) {
      const minors = glibcVersionsNeeded(bytes).map((version) => Number(version.split('.')[1]))
      t.ok(Math.max(...minors) <= 36, path)
    }
  })

  await t.test('is told whole in the bill of materials, each part with its licence', async (t) => {
    const packages = packagesIn(bundle.inputs, arch)
    const names = packages.map(({ name }) => name)
    t.match(names, new Set(['lmdb', 'undici', `node-linux-${arch}`, '@btc-vision/uwebsockets.js']))
    t.equal(names.includes('tap'), false, 'nothing that only develops it')
    const text = thirdPartyLicences(packages)
    t.match(text, 'SIL OPEN FONT LICENSE', 'also the typeface')
    for (const { name, version } of packages) t.ok(text.includes(`${name} ${version} (`), name)
    const bill = JSON.stringify(billOfMaterials(packages, arch))
    t.equal(bill, JSON.stringify(billOfMaterials(packages, arch)), 'the same every time')
    t.equal(bill.match(/"purl"/g)?.length, packages.length + 1)
  })
})
