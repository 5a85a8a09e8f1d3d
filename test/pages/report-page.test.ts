// The page of a monthly report, as readers of each language see it.
import t from 'tap'
import { errorKinds } from '../../src/domain/checks/reading.ts'
import { severities } from '../../src/domain/incidents/incident.ts'
import { type UptimeReport, uptimeReport } from '../../src/domain/reports/uptime-report.ts'
import { toText } from '../../src/pages/html.ts'
import { reportPage } from '../../src/pages/report-page.ts'
import { type Language, languages } from '../../src/texts/languages.ts'
import { incidentA } from '../support/make-incident.ts'
import { makeMonitor } from '../support/make-page.ts'

const dayMs = 86_400_000
const times = { degradedMs: 90_000, pausedMs: 0, maintenanceMs: dayMs, unknownMs: 0 }
const month = uptimeReport({
  keyId: '0123456789abcdef',
  nowMs: Date.UTC(2026, 10, 2, 15, 4),
  productVersion: '1.2.3',
  service: 'https://up.example',
  organizationName: 'Acme <GmbH>',
  monitor: makeMonitor({ name: 'Shop', sloPercent: 99.9 }),
  month: '2026-10',
  fromMs: Date.UTC(2026, 9),
  toMs: Date.UTC(2026, 10),
  isComplete: true,
  times: { ...times, upMs: 30 * dayMs - 90_000 - 7_260_000, downMs: 7_260_000 },
  incidents: [],
})
const incident = {
  id: incidentA,
  severity: 'down',
  isDeclared: false,
  causeKind: 'timeout',
  startedAt: '2026-10-09T14:05:00.000Z',
  endedAt: '2026-10-09T16:06:00.000Z',
  seconds: 7_260,
} as const
const withOutage: UptimeReport = { ...month, incidents: [incident], incidentsTotal: 3 }
const ofRunningMonth: UptimeReport = {
  ...month,
  period: { ...month.period, isComplete: false },
  uptimeRatio: null,
  incidents: [
    ...errorKinds.map((causeKind) => ({ ...incident, causeKind })),
    ...severities.map((severity) => ({ ...incident, severity, isDeclared: true, endedAt: null })),
  ],
}

function pageOf(report: UptimeReport, language: Language): string {
  return toText(reportPage({ report, signature: 'c2ln+/==', publicKey: 'a2V5' }, language))
}

/** What a reader sees, with plain spaces and without the marks that keep the direction of figures. */
function seen(page: string): string {
  const [, body = ''] = page.split('<body>')
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
}

function has(language: Language, report: UptimeReport, pieces: readonly string[]): void {
  const text = seen(pageOf(report, language))
  for (const piece of pieces) t.ok(text.includes(piece), `${language}: ${piece} in ${text}`)
}

t.test('a report is in German for a reader of German', async (t) => {
  const page = pageOf(withOutage, 'de')
  t.match(page, '<html lang="de">')
  t.match(page, '<title>Shop: Verfügbarkeit im Oktober 2026</title>')
  has('de', withOutage, [
    'Verfügbarkeitsbericht für Oktober 2026: 1. Oktober 2026 um 00:00 UTC bis 1. November 2026 um 00:00 UTC',
    'Verfügbarkeit 99,71 %',
    'Zeit, die zählt 96,77 %',
    'Zielwert 99,9 %, nicht erreicht',
    'Ausgefallen 2 Std. 1 Min. 7.260 Sek. 0,27 %',
    'Gesamt 31 Tg. 2.678.400 Sek. 100 %',
    'Ausfall keine rechtzeitige Antwort 9. Okt. 2026 14:05 9. Okt. 2026 16:06 2 Std. 1 Min.',
    'Und 2 weitere.',
    'Erstellt am 2. November 2026 um 15:04 UTC von stillup 1.2.3, https://up.example.',
  ])
  has('de', ofRunningMonth, [
    'Dieser Monat läuft noch',
    'nicht bekannt',
    'von einer Person gemeldet',
  ])
})

t.test('a report in Arabic runs from right to left, but names, keys and digits stay', async (t) => {
  const page = pageOf(withOutage, 'ar')
  t.match(page, '<html lang="ar" dir="rtl">')
  t.match(page, '<h1><bdi>Shop</bdi></h1>')
  t.match(page, '<bdi>Acme &lt;GmbH&gt;</bdi>')
  t.match(page, '<span dir="ltr">c2ln+/==</span>')
  t.notMatch(page, /[٠-٩]/)
  has('ar', withOutage, [
    'تقرير التوفر لشهر أكتوبر 2026',
    'نسبة التوفر 99.71%',
    'الهدف 99.9%، لم يتحقق',
    'انقطاع لا رد في الوقت المحدد 9 أكتوبر 2026',
    'وحادثان آخران.',
  ])
})

t.test('a report is in Japanese for a reader of Japanese', async (t) => {
  t.match(pageOf(withOutage, 'ja'), '<title>Shop: 2026年10月の稼働率</title>')
  has('ja', withOutage, [
    '稼働率 99.71%',
    '目標 99.9%、未達成',
    '停止 2時間1分 7,260秒 0.27%',
    '障害 時間内に応答なし 2026年10月9日 14:05',
    'ほか 2 件。',
  ])
  has('ja', { ...month, incidents: [] }, ['インシデントはありませんでした。'])
})

t.test('no sentence of a report is left in English', async (t) => {
  const reports = [withOutage, ofRunningMonth, month]
  const piecesIn = (language: Language) =>
    reports
      .flatMap(
        (report) =>
          pageOf(report, language)
            .split('<body>')[1]
            ?.split(/<[^>]*>|\n/) ?? [],
      )
      .filter((piece) => /[a-z]{3} [a-z]/i.test(piece) && piece !== 'Acme &lt;GmbH&gt;')
  const english = new Set(piecesIn('en'))
  t.ok(english.size > 25)
  for (const language of languages.filter((one) => one !== 'en')) {
    t.same(
      piecesIn(language).filter((piece) => english.has(piece)),
      [],
      language,
    )
  }
})
