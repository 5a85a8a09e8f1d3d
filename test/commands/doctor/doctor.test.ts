// stillup doctor: its options, exit code and output.
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { catalog } from '../../../src/commands/catalog.ts'
import { runCommandLine } from '../../../src/commands/command-line.ts'
import { fine, problem, skipped, warning } from '../../../src/commands/doctor/model/finding.ts'
import { isWell, reportDocument, reportLines } from '../../../src/commands/doctor/report.ts'
import { bareNode } from '../../support/bare-node.ts'
import { fakeHost } from '../../support/fake-host.ts'
import { skipWithout } from '../../support/programs.ts'
import { testFolder } from '../../support/test-folder.ts'
import { until } from '../../support/until.ts'

const findings = [
  { check: 'disk', ...fine('space', '5 GiB free') },
  { check: 'disk', ...fine('speed', '5 ms') },
  { check: 'dns', ...skipped('names', 'nothing to ask') },
  { check: 'mail', ...warning('server', 'slow', 'Use another one.') },
  { check: 'ports', ...problem('http.listen', 'taken', 'Stop it.') },
]

t.test('the worst comes first, with its advice, and what is well is short', async (t) => {
  const options = { version: '1.2.3', hasColor: false, isFull: false }
  t.same(reportLines(findings, options), [
    'PROBLEM  ports, http.listen: taken',
    '         -> Stop it.',
    'warning  mail, server: slow',
    '         -> Use another one.',
    'ok       disk: space, speed',
    'skipped  dns: names',
    '',
    'stillup 1.2.3: 1 problem, 1 warning, 2 ok, 1 skipped',
  ])
  const full = reportLines(findings, { ...options, isFull: true }).join('\n')
  t.match(full, /ok {7}disk, space: 5 GiB free/)
  t.notMatch(full, '\u001b', 'without colour')
  const colored = reportLines(findings, { ...options, hasColor: true })
  t.match(colored[0], '\u001b[31mPROBLEM')
})

t.test('only a problem makes the exit code 1', async (t) => {
  t.equal(isWell(findings), false)
  t.equal(isWell(findings.slice(0, 4)), true)
  t.match(reportDocument(findings, '1.2.3'), { isWell: false, counts: { ok: 2, problem: 1 } })
})

t.test('it runs before the first start and with wrong settings, and leaves no file', async (t) => {
  const cwd = testFolder(t)
  const host = fakeHost(cwd, {
    STILLUP_DNS_SERVERS: '127.0.0.1:1',
    STILLUP_CHECKS_PER_HOST: 'none',
    STILLUP_TYPO: '1',
  })
  const argv = ['doctor', '--json', '--target', 'http://127.0.0.1:1/']
  t.equal(await runCommandLine(host, catalog, argv), 1)
  t.equal(host.printed.length, 1, 'one document and nothing else')
  const document = JSON.parse(host.printed[0] ?? '')
  t.match(
    document.findings.filter(({ check }: { check: string }) => check === 'settings'),
    [
      { subject: 'STILLUP_TYPO', status: 'problem' },
      { subject: 'checks.perHost', status: 'problem', seen: /found "none"; allowed: a whole/ },
    ],
  )
  t.same(readdirSync(cwd), [])
})

t.test('a wrong option is told at once', async (t) => {
  for (const argv of [
    ['doctor', '--target', 'ftp://example.com'],
    ['doctor', '--send-mail', 'a@example.com,b@example.com'],
  ]) {
    const host = fakeHost(testFolder(t))
    t.equal(await runCommandLine(host, catalog, argv), 64)
    t.match(host.complaints[0], /--(target|send-mail) must be/)
  }
})

t.test(
  'a clock that is an hour ahead is a problem',
  { skip: skipWithout('faketime') },
  async (t) => {
    const server = createServer((_, response) => response.end('hello'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const offset = '+1h'
    const env = execFileSync('faketime', ['-m', '-f', offset, 'env'], { encoding: 'utf8' })
    const [command, args] = bareNode(
      [
        join(import.meta.dirname, '../../../src/main.ts'),
        ...['doctor', '--json', '--target'],
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      ],
      {
        LD_PRELOAD: /^LD_PRELOAD=(.*)$/m.exec(env)?.[1] ?? '',
        FAKETIME: offset,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        STILLUP_DNS_SERVERS: '127.0.0.1:1',
      },
    )
    const cwd = testFolder(t)
    const lookAtTime = async () => {
      const out = await new Promise<string>((resolve) => {
        execFile(command, args, { cwd }, (_error, stdout) => resolve(stdout))
      })
      const { findings } = JSON.parse(out)
      return findings.find(
        ({ check, subject }: Record<string, string>) => check === 'clock' && subject === 'time',
      )
    }
    // On a busy machine a check may be given up; then it is run again, as it advises.
    const time = await until(async () => {
      const found = await lookAtTime()
      return !/it took longer/.test(found?.seen) && found
    })
    t.match(time, { status: 'problem', seen: /3[56]\d\d\.\d s ahead/ })
  },
)
