// The log: entries, levels, redaction, and lines that stay lines.
import t from 'tap'
import { countedLog, createLog, type LogOptions, silentLog } from '../../../src/base/log/log.ts'

function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', ...options, write: (l) => lines.push(l) })
  const entries = () => lines.map((line) => JSON.parse(line))
  return { log, lines, entries }
}

t.test('an entry is one JSON line with time, level, message and fields', async (t) => {
  const { log, lines, entries } = capture()
  log.info('started', { port: 8080 })
  t.match(entries()[0], { level: 'info', message: 'started', port: 8080 })
  t.match(entries()[0].time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.ok(lines[0]?.endsWith('}\n'))
})

t.test('entries under the level are not written', async (t) => {
  const { log, lines } = capture({ level: 'warn' })
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d')
  t.equal(lines.length, 2)
})

t.test('a child adds its fields to every entry, and its own child adds more', async (t) => {
  const { log, entries } = capture()
  log.child({ monitorId: 'mon_1' }).child({ step: 'probe' }).warn('slow', { tookMs: 9 })
  t.match(entries()[0], { monitorId: 'mon_1', step: 'probe', tookMs: 9 })
})

t.test('secrets do not reach the log, under any spelling or depth', async (t) => {
  const { log, lines } = capture()
  const secret = 'hunter2hunter2'
  for (const name of [
    'token',
    'apiKey',
    'x-api-key',
    'X_API_KEY',
    'authorization',
    'Cookie',
    'set-cookie',
    'password',
    'secret',
    'setupToken',
    'auth-token',
    'systemToken',
    'smtpUrl',
    'passwordHash',
    'masterKey',
  ]) {
    log.info('request', { [name]: secret })
    log.info('request', { headers: { deep: [{ [name]: { value: secret } }] } })
    log.child({ [name]: secret }).info('request')
    log.error('failed', { error: Object.assign(new Error('x'), { [name]: secret }) })
  }
  t.notMatch(lines.join(''), secret)
  t.match(lines.join(''), '[hidden]')
})

t.test('secrets inside texts are hidden too', async (t) => {
  const { log, lines } = capture()
  const key = `sup_${'a1B2'.repeat(9)}`
  log.info('call', {
    url: 'https://bob:hunter2@example.com/x',
    path: '/api/v1/push/spp_0123456789012345678901234567890123456789?status=ok',
    error: new Error(`refused Bearer ${key} at /push/abcdef`),
    invitation: 'at /api/v1/invites/Zm9vYmFy/accept',
    note: key,
    more: `stp_${'a1B2'.repeat(9)}`,
  })
  const text = lines.join('')
  for (const secret of ['hunter2', key, 'spp_0123', 'stp_a1', 'abcdef', 'Zm9vYmFy'])
    t.notMatch(text, secret)
  t.match(text, 'example.com/x')
})

t.test('errors keep their name, message, stack and causes', async (t) => {
  const { log, entries } = capture()
  const cause = Object.assign(new TypeError('inner'), { code: 'EIO' })
  log.error('failed', { error: new Error('outer', { cause }) })
  const { error } = entries()[0]
  t.match(error, { name: 'Error', message: 'outer', cause: { name: 'TypeError', code: 'EIO' } })
  t.match(error.stack, /log\.test\.ts/)
})

t.test('whatever is passed in, the entry is written and bounded', async (t) => {
  const { log, lines, entries } = capture()
  const loop: Record<string, unknown> = {
    big: 10n,
    fn: () => 1,
    at: new Date(0),
    bad: new Date('x'),
  }
  loop.self = loop
  log.info('odd', {
    loop,
    bytes: Buffer.alloc(9),
    long: 'x'.repeat(100_000),
    many: Array.from({ length: 9_999 }, (_, i) => i),
    none: null,
    nothing: undefined,
  })
  const [entry] = entries()
  t.match(entry, { bytes: '[9 bytes]', none: null })
  t.match(entry.loop, { big: '10', fn: '[function]', at: '1970-01-01T00:00:00.000Z', bad: null })
  t.ok(lines[0]!.length < 10_000)
})

t.test('a line break or a terminal command in a message cannot forge an entry', async (t) => {
  for (const format of ['json', 'pretty'] as const) {
    const { log, lines } = capture({ format })
    log.info('a\nb \u001b[2J', { name: 'x\ny\r\u2028', '\nkey': 1 })
    t.equal(lines.length, 1)
    t.equal(lines[0]!.trimEnd().split(/[\n\r]/).length, 1, format)
    t.notMatch(lines[0], '\u001b')
  }
})

t.test('for a person an entry is time, level, message and name=value', async (t) => {
  const { log, lines } = capture({ format: 'pretty' })
  log.info('listening', { address: 'http://127.0.0.1:1', note: 'two words', count: 3, none: '' })
  t.match(
    lines[0],
    /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening address=http:\/\/127\.0\.0\.1:1 note="two words" count=3 none=""\n$/,
  )
  log.error('failed', { error: new TypeError('no "such" thing') })
  t.match(lines[1], /ERROR failed error="TypeError: no \\"such\\" thing at .*log\.test\.ts/)
  const colored = capture({ format: 'pretty', color: true })
  colored.log.error('x')
  t.match(colored.lines[0], '\u001b[31mERROR\u001b[0m x')
})

t.test('the silent log accepts everything and writes nothing', async (t) => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    t.equal(silentLog.child({ a: 1 })[level]('x'), undefined)
  }
})

t.test('errors are counted, those of children too, and written all the same', async (t) => {
  const { log, entries } = capture({ level: 'info' })
  const counted = countedLog(log)
  counted.log.error('one')
  counted.log.warn('none')
  counted.log.child({ part: 'mail' }).child({ to: 'ann' }).error('two', { code: 5 })
  t.equal(counted.errors(), 2)
  t.match(entries(), [
    { message: 'one' },
    { message: 'none' },
    { message: 'two', part: 'mail', to: 'ann', code: 5 },
  ])
})
