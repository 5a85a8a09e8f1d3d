// stillup doctor: its options, exit code and output.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { catalog } from '../../../src/commands/catalog.ts'
import { runCommandLine } from '../../../src/commands/command-line.ts'
import { isWell, reportDocument, reportLines } from '../../../src/commands/doctor/report.ts'
import { fine, problem, skipped, warning } from '../../../src/services/doctor/model/finding.ts'
import { fakeHost } from '../../support/fake-host.ts'
import { testFolder } from '../../support/test-folder.ts'

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
  const argv = ['doctor', '--json']
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
  const host = fakeHost(testFolder(t))
  const argv = ['doctor', '--send-mail', 'a@example.com,b@example.com']
  t.equal(await runCommandLine(host, catalog, argv), 64)
  t.match(host.complaints[0], '--send-mail must be')
})
