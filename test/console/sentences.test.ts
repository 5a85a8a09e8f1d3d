// What the daemon says in English is German in a German console: causes, timelines, explanations.
import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { consoleTexts } from '../../scripts/console/texts.ts'
import { nouns, quotaNouns } from '../../src/base/nouns.ts'
import { problemOf } from '../../src/bucket/bucket-error.ts'
import { channelDefinitions } from '../../src/channels/registry.ts'
import { catalogueIn } from '../../src/console/words/catalogue.ts'
import { refusals } from '../../src/domain/alerts/route.ts'
import { tellingKinds, tellingReasons } from '../../src/domain/alerts/telling.ts'
import { freshBudget } from '../../src/domain/assertions/budget.ts'
import { mismatchOf } from '../../src/domain/assertions/comparison.ts'
import { assertionTypes } from '../../src/domain/assertions/expectation.ts'
import { phaseNames } from '../../src/domain/checks/reading.ts'
import { basisRules } from '../../src/domain/incidents/basis.ts'
import { timelineKinds } from '../../src/domain/incidents/incident.ts'
import {
  missedReading,
  reportedReading,
  reportsSentence,
  silenceReading,
  unendedReading,
} from '../../src/domain/schedule/push-deadline.ts'
import { refusalReason, routeToWire } from '../../src/http/api/alerts/alert-paths.ts'
import { decisionSentence, tellingSentence } from '../../src/http/api/incidents/explain-words.ts'
import {
  certificateFailure,
  connectFailure,
  dnsFailure,
  exchangeFailure,
  handshakeFailure,
  timeoutFailure,
} from '../../src/net/failure.ts'
import { registrationProblem } from '../../src/probes/domain/registrations.ts'
import { de } from '../support/console-words.ts'

const translate = de.said
const sentences = Object.fromEntries(
  Object.entries(consoleTexts('de').said ?? {}).map(([english, german]) => [
    english,
    String(german),
  ]),
)

/** In German: a sentence that says the same in both languages would look translated. */
const missing = (said: readonly string[]) => [
  ...new Set(said.filter((sentence) => translate(sentence) === undefined)),
]

t.test('a sentence is translated with what it names, in whatever it stands', async (t) => {
  const pairs = [
    ['connection refused by 10.0.0.1:80', 'Verbindung abgelehnt von 10.0.0.1:80'],
    ['Connection refused by 10.0.0.1:80.', 'Verbindung abgelehnt von 10.0.0.1:80.'],
    ['expected status 200, found 503', 'erwartet: Status 200; gefunden: 503'],
    [
      'expected body to contain "a" after 2 redirects',
      'erwartet: Inhalt enthält "a", nach 2 Weiterleitungen',
    ],
    [
      'Shop is down: the certificate has expired: it was valid until 31 January 2026, 12:00 UTC',
      'Shop ist ausgefallen: das Zertifikat ist abgelaufen: es galt bis 31. Januar 2026 um 12:00 UTC',
    ],
    [
      'no report within 5 min and 1 min of grace; the last one came at 31 March 2026, 11:36:05 UTC',
      'keine Meldung innerhalb von 5 Min. und 1 Min. Nachfrist; die letzte kam am 31. März 2026 um 11:36:05 UTC',
    ],
    [
      'the sender reported an error: is down: no space',
      'der Absender meldete einen Fehler: is down: no space',
    ],
    [
      'Given up: Telegram refused the message (400: chat not found).',
      'Aufgegeben: Telegram lehnte die Nachricht ab (400: chat not found).',
    ],
    ['Not sent. It is switched off.', 'Nicht gesendet. Er ist abgeschaltet.'],
  ] as const
  for (const [english, german] of pairs) t.equal(translate(english), german)
})

t.test('what no template fits stays as it is', async (t) => {
  for (const text of ['', '.', 'Kein Platz', 'no space left on /dev/sda', 'A: b']) {
    t.equal(translate(text), undefined, text)
  }
})

t.test('a translation has the values and the sentences of its template', async (t) => {
  const slotsOf = (text: string) => [...new Set(text.match(/\{\w+\}|\[\w+\]|<\w+>/g))].sort().join()
  const differing = Object.entries(sentences).filter(([english, german]) => {
    // "A JSON body" is JSON.
    return slotsOf(english.replace(' <text>', '')) !== slotsOf(german)
  })
  t.same(differing, [])
})

t.test('each failure of a connection, a name, a certificate and a response', async (t) => {
  const coded = (...codes: readonly string[]) => codes.map((code) => ({ code }))
  const usual = coded(
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'EMFILE', 'ENFILE', 'ENOBUFS'],
    ...[
      'ENOMEM',
      'EAGAIN',
      'EADDRNOTAVAIL',
      'ENETDOWN',
      'EAFNOSUPPORT',
      'EPERM',
      'EACCES',
      'EINVAL',
    ],
    ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_SSLV3_ALERT_BAD', 'EPIPE', 'ESOMETHING'],
  )
  const certificates = [
    ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...[
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
    ],
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'OTHER'],
  ]
  const names = [
    ...['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'ECONNREFUSED'],
    ...['ENONAME', 'EOTHER'],
  ]
  const exchanges = [
    ...usual,
    ...coded('UND_ERR_HEADERS_OVERFLOW', 'ERR_ASSERTION', 'UND_ERR_INVALID_ARG'),
    Object.assign(new Error('NGHTTP2_REFUSED_STREAM'), { code: 'ERR_HTTP2_STREAM_ERROR' }),
    Object.assign(new Error('x'), { code: 'ERR_HTTP2_ERROR' }),
    Object.assign(new Error('x'), { code: 'ERR_HTTP2_STREAM_CANCEL' }),
  ]
  const progress = [
    { hasStatus: false, bodyBytes: 0 },
    { hasStatus: true, bodyBytes: 10 },
  ]
  const found = [
    ...usual.flatMap((cause) => [
      connectFailure(cause, '192.0.2.1:80'),
      connectFailure(cause, '192.0.2.1:80', { isAtOnce: true }),
      handshakeFailure(cause),
    ]),
    ...certificates.map(certificateFailure),
    ...names.map((code) => dnsFailure(code, 'a.example')),
    ...exchanges.flatMap((cause) => progress.map((one) => exchangeFailure(cause, one))),
    ...phaseNames.map((phase) => timeoutFailure(10_000, phase)),
  ]
  t.same(missing(found.map(({ message }) => message)), [])
})

t.test('each assertion that fails', async (t) => {
  const subjects = ['body', 'status', 'header X-Version', '$.items[0]', 'response time']
  const found = assertionTypes.flatMap((type) =>
    subjects.flatMap((name) => {
      const value = { contains: 'x', notContains: 'o', regex: 'x', type: 'null', lengthEquals: '9' }
      const wanted = type in value ? value[type as keyof typeof value] : '5'
      const values = type === 'notExists' ? ['ok'] : type === 'notEquals' ? ['5'] : ['ok', 4]
      const given = type === 'exists' ? [] : values
      const budget = freshBudget()
      const comparison = { type, value: type === 'exists' || type === 'notExists' ? null : wanted }
      const failed = mismatchOf(comparison, given, { name }, budget)
      return failed === undefined ? [] : [failed.expected, `expected ${failed.expected}`]
    }),
  )
  t.ok(found.length > assertionTypes.length * 4, 'nearly all of them fail')
  t.same(missing(found), [])
})

t.test('each push report that failed or is missing', async (t) => {
  const pace = { intervalSeconds: 300, graceSeconds: 60, schedule: null, timezone: 'UTC' }
  const daily = { ...pace, schedule: '0 3 * * *' }
  const run = { runId: 'nightly', startedAtMs: 0 } as never
  const readings = [
    reportedReading({ status: 'error' } as never, 0),
    reportedReading({ status: 'error', exitCode: 3, message: 'no space' } as never, 0),
    ...[pace, daily, { ...pace, graceSeconds: 0 }, { ...daily, graceSeconds: 0 }].flatMap((one) => [
      missedReading(one as never, { lastReportAtMs: null, deadlineAtMs: 86_400_000 }),
      missedReading(one as never, { lastReportAtMs: 0, deadlineAtMs: 86_400_000 }),
    ]),
    unendedReading(run, 0, 60),
    unendedReading({ runId: null, startedAtMs: 0 } as never, 0, 60),
    silenceReading({ autoRecoveryMinutes: 60 } as never, 0),
  ]
  const states = [null, 0].flatMap((lastReportAtMs) =>
    [null, 60_000].map((deadlineAtMs) => ({ lastReportAtMs, deadlineAtMs, openRuns: [] })),
  )
  const said = readings.map(({ error, message }) => error?.message ?? message ?? '')
  t.same(missing([...said, ...states.map(reportsSentence)]), [])
})

t.test('each state of a registration that is bad', async (t) => {
  const all = ['pending delete', 'redemption period', 'server hold', 'client hold', 'ok']
  const said = all.map((one) =>
    registrationProblem({ name: 'a.example', status: [one], expiresAtMs: 0 } as never, 1),
  )
  t.same(missing(said.map(String)), [])
})

t.test('each decision about an incident, and what became of each message about it', async (t) => {
  const basis = (rule: string, needed: number) => ({
    ...{ rule, needed, among: 5, countedAtMs: [0, 1], slowAboveMs: 100 },
  })
  const decisions = timelineKinds.flatMap((kind) => [
    ...basisRules.flatMap((rule) =>
      [1, 2].map((n) => ({ entry: { kind }, basis: basis(rule, n) })),
    ),
    { entry: { kind, message: 'Recovered.' }, basis: null },
    { entry: { kind, message: 'Recovered.', by: 'usr_1' }, basis: null },
  ])
  const deliveries = [
    { attempts: 1, deliveredAtMs: 0, lastError: null },
    { attempts: 3, deliveredAtMs: 0, lastError: 'The receiver answered 500.' },
    { attempts: 3, deliveredAtMs: null, lastError: 'The receiver answered 500.' },
  ]
  const tellings = tellingKinds.flatMap((kind) =>
    [null, ...tellingReasons].flatMap((because) =>
      [null, 60_000].flatMap((untilMs) =>
        [null, ...deliveries.map((delivery) => ({ delivery }))].map((known) => ({
          ...{ kind, because, untilMs, known },
        })),
      ),
    ),
  )
  const routes = [
    { kind: 'now' },
    { kind: 'later', atMs: 0, because: 'delay' },
    { kind: 'later', atMs: 0, because: 'quiet_hours' },
    { kind: 'none', because: 'dependency', blockerName: 'Router' },
    ...refusals.map((because) => ({ kind: 'none', because })),
  ]
  const said = [
    ...decisions.map((one) => decisionSentence(one as never)),
    ...tellings.map((one) => tellingSentence(one as never)),
    ...routes.map((one) => routeToWire(one as never, 0).explanation),
    ...refusals.map(refusalReason),
  ]
  t.same(missing(said), [])
})

/** A text in a call or a field of these names, which says why something failed. */
const saidText =
  /(?:\b(?:failure|silence|unknownFailure|again|never|refused|notKnown|badState|cannotLook)\(\s*(?:'\w+',\s*)?|\b(?:reason|message)(?::| =)\s*)('(?:[^'\\\n]|\\.)*'|`[^`]*`)/g

/** Why the daemon does not start is said elsewhere; the words of `net/failure.ts` are asked for above. */
const elsewhere = /authorities|net\/failure|template\.ts$/
/** What a field of a form must be like, and the part of a sentence that every user of it completes. */
const rule = /^(must|is required|is in the list|applies only|username and password|leads to)\b/

/**
 * What the files of checks and channels say by themselves, as far as it stands in one place. A value in
 * it is a word, or a sentence that is known.
 */
function saidInSource(): readonly string[] {
  const folders = ['src/probes/**/*.ts', 'src/net/**/*.ts', 'src/channels/**/*.ts']
  const more = ['src/mail/smtp.ts', 'src/mail/transport.ts', 'src/actors/alerts/outbox.ts']
  const files = [...globSync(folders), ...more].filter((file) => !elsewhere.test(file))
  return files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(saidText), ([, quoted = '']) => {
      const text = quoted.slice(1, -1).replaceAll("\\'", "'")
      const filled = values.map((value) => text.replace(/\$\{[^}]*(\}|$)/g, value))
      return filled.find((one) => translate(one) !== undefined) ?? text
    }),
  )
}

const values = [
  ...['', '7', '.', 'a private address', 'no way to reach 192.0.2.1:80'],
  ...['reset', 'an unknown encoding', 'with code 7', 'greets', 'more than 7 bytes'],
]

t.test('how to set up each type of channel', async (t) => {
  const steps = channelDefinitions.flatMap(({ steps = [] }) => steps)
  t.same(missing([...steps, 'Where to get what the config needs: <https://example.com/a.md>.']), [])
})

t.test('what checks and channels say in their sources', async (t) => {
  const said = saidInSource().filter((text) => text.includes(' ') && !rule.test(text))
  t.ok(said.length > 60, `${said.length} sentences are found`)
  t.same(missing(said), [])
})

/** A sentence of a `Fault`. The console has words of its own for the other codes, or never meets them. */
const faultText =
  /new Fault\(\s*'(?:forbidden|conflict|unavailable|storage_full|shutting_down|internal|body_too_large|csrf_rejected|\w+_taken|last_owner|already_member|link_expired|invalid_credentials|totp_required|registration_closed|kyc_required|reauthentication_required)',\s*('(?:[^'\\\n]|\\.)*'|`[^`]*`)|const (?:detail|words) = ('[A-Z](?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*'|`[A-Z][^`]* [^`]*`)/g
/** What is wrong with a field, said without its name. */
const fieldText =
  /(?<![\w'`])('|`)((?:\$\{\w+\} )?(?:must|is|cannot|can be|does not|requires|would|leads to|makes a|needs|excludes|username and)(?: (?:(?!\1)[^\n\\]|\\.)*))\1/g

/** Files and sentences that nobody meets in the console. */
const unmet: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^domain\/sign-in\/redirect|reports\/reports|health\/time-window|error-reports/, 'API only'],
  [/^domain\/incidents\/incident\.ts: is|^domain\/alerts\/system-notice/, 'part of a message'],
  [/(local-operator|own-password|upgrade-backups|doctor\/.*|restores)\.ts:/, 'the command line'],
  [/export-directory\.ts:|services\/backups\/settle/, 'the command line'],
  [/requires a session|API keys may not|signed in has this/, 'callers with an API key'],
  [/This requires |Sending tests requires/, 'the console says that the role is too low'],
  [/kyc-callback|idempotency|Idempotency|replays|If-Match/, 'callers that are no browsers'],
  [/page-streams|render-budget|The client has disconnected/, 'readers of status pages'],
  [
    /foreign\.ts|value-count|yaml-values|blackbox\.ts: must have/,
    'limits of documents of other products',
  ],
  [/markup\.ts/, 'evidence of a check, not a field'],
  [/json-schema(-keywords)?\.ts/, 'evidence of a check, or the reason why a schema is none'],
  [/system-settings\.ts: must be \$/, 'the console checks settings before it sends them'],
  [/monitor-bulk\.ts: (must be absent when|is required unless)/, 'the console sends ids only'],
  [/template\.ts: can be set only/, 'the form has no such field'],
  [/sign-in\/registration|inviteToken|for this e-mail address/, 'the pages of the entrance'],
  [/must not be HEAD/, 'the form offers no such method'],
  [/listen-failure|edge\/server|remote-copies|oidc\.ts: \$/, 'the log of the daemon'],
  [/probe-link\.ts: /, 'remote probes'],
  [/monitor-metrics\.ts: /, 'Prometheus'],
  [/services\/standby\/snapshots/, 'standbys'],
  [/^services\/cluster\//, 'the command line and the start of a member'],
  [/uptimerobot\/contacts/, 'notes of imports are in English'],
  [/foreign-fetch\.ts: is of Healthchecks/, 'the form asks it of Healthchecks alone'],
  [/^domain\/exports\//, 'the files of other products'],
  [/Several organizations have this name/, 'the command line'],
  [/must have names of 1 to/, 'the form names the fields itself'],
  [
    /keys\.ts: role|stat_minutely and heartbeat$|\$\{about\} Enter|of YAML$|CERTIFICATE----- to $/,
    'a part, asked for below',
  ],
]

t.test('what services say in their sources', async (t) => {
  const files = globSync(['src/services/**/*.ts', 'src/domain/**/*.ts', 'src/channels/**/*.ts'])
  const said = [...files, ...globSync('src/http/{pipeline,edge}/*.ts')].flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const found = [...source.matchAll(faultText), ...source.matchAll(fieldText)]
    return found.map(([, first = '', second = '']) => {
      const text = /^['`]$/.test(first) ? second : (first || second).slice(1, -1)
      return { file: file.replace('src/', ''), text: text.replaceAll("\\'", "'") }
    })
  })
  t.ok(said.length > 200, `${said.length} sentences are found`)
  const known = [
    '7',
    '',
    'a',
    'owner',
    'monitors',
    'channels',
    'tags',
    'approved',
    'the messages go',
    'at most 9 days',
  ]
  const unknown = said.filter(({ text }) =>
    known.every((value) => translate(text.replace(/\$\{[^}]*(\}+|$)/g, value)) === undefined),
  )
  const named = unknown.map(({ file, text }) => `${file}: ${text}`)
  t.same(
    [...new Set(named)].filter((one) => !unmet.some(([pattern]) => pattern.test(one))),
    [],
  )
})

t.test('sentences of services that stand in several places of their sources', async (t) => {
  const said = [
    'role owner is too high: the member who answers for the key may do at most what admin may.',
    'The export that this channel comes from left its secrets out: url. Enter them, and switch the channel on.',
    'is larger than 9 MB: leave out stat_minutely and heartbeat with --ignore-table',
    'must have at most 9 characters of YAML; stillup import --from gatus takes more',
    'must be certificates in PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
    'You cannot grant a role above your own, which is member.',
  ]
  t.same(missing(said), [])
  t.equal(
    translate(said.at(-1) ?? ''),
    'Sie können keine Rolle vergeben, die über Ihrer eigenen liegt: Mitglied.',
  )
})

t.test('what a conversion leaves out, or wants', async (t) => {
  const files = ['src/domain/steps/convert/*.ts', 'src/domain/browser/convert/*.ts']
  const notes = files
    .flatMap((one) => globSync(one))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const found = source.matchAll(/\b(?:note|say)\(\s*('(?:[^'\\\n]|\\.)*'|`[^`]* [^`]*`)/g)
      return Array.from(found, ([, quoted = '']) =>
        quoted.slice(1, -1).replace(/\$\{[^}]*\}/g, '7'),
      )
    })
  t.ok(notes.length > 20, `${notes.length} notes are found`)
  const others = [
    'the option --proxy of curl is left out: it would be a setting of the monitor',
    'the option --frob of curl is left out',
    'step 1, "GET /": the header X is left out: is given twice',
  ]
  // These two begin with a place, and go on with one of the others.
  const own = notes.filter((note) => !['7 7', 'step 7, "7": 7'].includes(note))
  t.same(missing([...own, ...others]), [])
})

t.test('the notes that most imports from Kuma, Healthchecks and Gatus bring', async (t) => {
  const files = ['kuma/**', 'healthchecks', 'gatus'].flatMap((folder) =>
    globSync(`src/domain/imports/${folder}/*.ts`),
  )
  const notes = files.flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(
      /\b(?:note|rest)\(\s*('(?:[^'\\\n]|\\.)*'|`[^`]* [^`]*`)/g,
    )
    return Array.from(found, ([, text = '']) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, '7'))
  })
  const known = notes.filter((note) => translate(note) !== undefined)
  t.ok(known.length >= 25, `${known.length} of ${notes.length} notes have a translation`)
  const composed = [
    'its icon, that it calls a phone, its own wording (a template)',
    'Pushy has no equivalent, and was left out: use a channel of the kind ntfy, gotify or pushover; alerted by Shop',
    'Plivo was left out: a call needs a text of its own at another address; alerted by Shop, API',
    'proxy: the operator lists it with checks.proxies as http://192.0.2.1:3128; monitors name it as proxy',
    'left out: there is no kind of channel here for Spike; it was told of "Shop" and 3 more',
    'its schedule "0 5 31 2 *" (UTC) is never on: it is paused, with a day as its period, until you give it one',
    'the key may only read, so which integrations a check has and its ping address are not told: take a key that may write',
    'security: its sign-in: invite people, or let them sign in by your identity provider',
    'storage: its storage: results that it has are not read',
  ]
  t.same(missing(composed), [])
  t.equal(translate('its icon, its sound'), 'sein Symbol, sein Ton')
})

t.test('each quota of an organization, when it is used up', async (t) => {
  const said = quotaNouns.map(
    (name) => `This organization may have at most 5 ${nouns[name].title}.`,
  )
  t.same(missing(said), [])
  t.equal(translate(said[0] ?? ''), 'Diese Organisation darf höchstens 5 Monitore haben.')
})

t.test('each field that a channel asks for has a label and a help in German', async (t) => {
  const asked = channelDefinitions.flatMap(({ type, config }) =>
    Object.keys(config.properties).map((name) => `${type} ${name}`),
  )
  const named = Object.entries(de.channelFields ?? {}).flatMap(([type, fields]) =>
    Object.entries(fields).flatMap(([name, { label, help }]) =>
      label && help ? [`${type} ${name}`] : [],
    ),
  )
  t.same(named.sort(), asked.sort())
})

t.test('a sentence ends as the language ends its sentences', async (t) => {
  const refused = 'Connection refused by 10.0.0.1:80.'
  t.match(catalogueIn('zh', consoleTexts('zh')).said(refused), /[^.]。$/)
  t.match(catalogueIn('es', consoleTexts('es')).said(refused), /[^.]\.$/)
})

t.test('a date in a sentence has the order of the language', async (t) => {
  const sentence =
    'no report within 5 min and 1 min of grace; the last one came at 2 November 2026, 11:36 UTC'
  for (const [language, date] of [
    ['zh', '2026年11月2日 UTC 11:36'],
    ['ja', '2026年11月2日 11:36 UTC'],
    ['es', '2 de noviembre de 2026 a las 11:36 UTC'],
    ['ar', '2 نوفمبر 2026 في 11:36 UTC'],
  ] as const) {
    t.ok(catalogueIn(language, consoleTexts(language)).said(sentence)?.includes(date), date)
  }
})

t.test('a span in a sentence has the units of the language', async (t) => {
  const sentence = 'No report within 1 d 6 h.'
  for (const [language, text] of [
    ['zh', /1天 ?6小时.*。$/],
    ['fr', /1.j 6.h/],
    ['de', /1.Tg\. 6.Std\.$/],
  ] as const) {
    t.match(catalogueIn(language, consoleTexts(language)).said(sentence), text)
  }
})

t.test('a sentence begins with a capital letter of its language', async (t) => {
  const translateTurkish = catalogueIn('tr', consoleTexts('tr')).said
  t.equal(translateTurkish('The request could not be sent: EPIPE.'), 'İstek gönderilemedi: EPIPE.')
})

t.test('each refusal of a bucket, also where it made a backup fail', async (t) => {
  const attempt = {
    right: 's3:PutObject',
    bucketName: 'backups',
    endpoint: 'https://s3.example.com',
    region: 'eu-1',
    wallMs: 0,
  }
  const answered = (status: number, code = '', headers: Readonly<Record<string, string>> = {}) => {
    const error = `<Error><Code>${code}</Code><Message>Not now.</Message></Error>`
    const body = Buffer.from(code === '' ? '<html>' : error)
    return { kind: 'answered', status, headers, body } as const
  }
  const codes = [
    ...['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'NoSuchBucket', 'AccessDenied'],
    ...['RequestTimeTooSkewed', 'NoSuchKey', 'PreconditionFailed', 'SlowDown', 'QuotaExceeded'],
  ]
  const problems = [
    ...codes.map((code) => problemOf(answered(400, code), attempt)),
    ...[302, 404, 503].map((status) => problemOf(answered(status), attempt)),
    problemOf(answered(301, '', { 'x-amz-bucket-region': 'eu-2' }), attempt),
    problemOf(answered(302, '', { location: 'https://login.example.com/' }), attempt),
    problemOf(
      answered(403, 'RequestTimeTooSkewed', { date: 'Thu, 01 Jan 1970 01:00:00 GMT' }),
      attempt,
    ),
    problemOf(
      { kind: 'refused', reason: 'The URL leads to a private address, which is not allowed.' },
      attempt,
    ),
    problemOf(
      { kind: 'failed', cause: 'connection', reason: 'Connection refused by [::1]:9.' },
      attempt,
    ),
    problemOf({ kind: 'failed', cause: 'tls', reason: 'The certificate is self-signed.' }, attempt),
  ]
  const said = problems.map((problem) => problem?.message ?? '')
  t.same(missing(said), [])
  const failed = said.map(
    (why) => `the last backup failed: the backup was made, but not copied to a at b: ${why}`,
  )
  t.same(missing(failed), [])
  t.equal(
    translate(failed.at(-2) ?? ''),
    'die letzte Sicherung scheiterte: die Sicherung entstand, wurde aber nicht nach a at b kopiert: ' +
      'Der Server unter https://s3.example.com war nicht erreichbar: Verbindung abgelehnt von [::1]:9.',
  )
})
