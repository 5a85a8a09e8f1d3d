// Messages and pages in each language: the forms that numbers take.
import t from 'tap'
import type { Language } from '../../src/texts/languages.ts'
import { textsOf } from '../../src/texts/texts.ts'

t.test('English: one day is a day, one incident an incident', async (t) => {
  const en = textsOf('channels', 'en')
  t.equal(
    en.certificateExpires({ name: 'Shop', days: 1 }),
    'The certificate of Shop expires in 1 day',
  )
  t.equal(
    en.domainExpires({ domain: 'shop.test', days: 7 }),
    'The domain shop.test expires in 7 days',
  )
  t.equal(
    en.certificateExpires({ name: 'Shop', days: 0 }),
    'The certificate of Shop expires in less than a day',
  )
  t.equal(en.incidentsOpened({ count: 1 }), '1 incident opened')
})

t.test('German: one of a thing, several, and less than a day', async (t) => {
  const de = textsOf('channels', 'de')
  t.equal(
    de.certificateExpires({ name: 'Shop', days: 0 }),
    'Das Zertifikat von Shop läuft in weniger als einem Tag ab',
  )
  t.equal(
    de.certificateExpires({ name: 'Shop', days: 1 }),
    'Das Zertifikat von Shop läuft in 1 Tag ab',
  )
  t.equal(
    de.domainExpires({ domain: 'shop.test', days: 7 }),
    'Die Domain shop.test läuft in 7 Tagen ab',
  )
  t.equal(de.incidentsOpened({ count: 1 }), '1 neuer Vorfall')
  t.equal(de.incidentsOpened({ count: 12 }), '12 neue Vorfälle')
  t.equal(de.incidentsResolved({ count: 1 }), '1 Vorfall behoben')
  t.equal(de.incidentsResolved({ count: 2 }), '2 Vorfälle behoben')
})

t.test('French: nought is a singular', async (t) => {
  const fr = textsOf('channels', 'fr')
  t.equal(
    fr.certificateExpires({ name: 'Shop', days: 0 }),
    'Le certificat de Shop expire dans moins d’un jour',
  )
  t.equal(
    fr.certificateExpires({ name: 'Shop', days: 1 }),
    'Le certificat de Shop expire dans 1 jour',
  )
  t.equal(
    fr.domainExpires({ domain: 'shop.test', days: 7 }),
    'Le domaine shop.test expire dans 7 jours',
  )
  t.equal(fr.incidentsOpened({ count: 0 }), '0 incident ouvert')
  t.equal(fr.incidentsOpened({ count: 1 }), '1 incident ouvert')
  t.equal(fr.incidentsOpened({ count: 2 }), '2 incidents ouverts')
  t.equal(fr.incidentsResolved({ count: 12 }), '12 incidents résolus')
  t.equal(fr.more({ count: 1 }), '1 autre')
  t.equal(fr.more({ count: 3 }), '3 autres')
})

t.test('Spanish: one of a thing, and several', async (t) => {
  const es = textsOf('channels', 'es')
  t.equal(
    es.certificateExpires({ name: 'Shop', days: 0 }),
    'El certificado de Shop caduca en menos de un día',
  )
  t.equal(
    es.certificateExpires({ name: 'Shop', days: 1 }),
    'El certificado de Shop caduca en 1 día',
  )
  t.equal(
    es.domainExpires({ domain: 'shop.test', days: 7 }),
    'El dominio shop.test caduca en 7 días',
  )
  t.equal(es.incidentsOpened({ count: 1 }), '1 incidente abierto')
  t.equal(es.incidentsOpened({ count: 12 }), '12 incidentes abiertos')
  t.equal(es.incidentsResolved({ count: 1 }), '1 incidente resuelto')
  t.equal(es.incidentsResolved({ count: 2 }), '2 incidentes resueltos')
})

t.test('Italian: one of a thing, and several', async (t) => {
  const it = textsOf('channels', 'it')
  t.equal(
    it.certificateExpires({ name: 'Shop', days: 0 }),
    'Il certificato di Shop scade tra meno di un giorno',
  )
  t.equal(
    it.certificateExpires({ name: 'Shop', days: 1 }),
    'Il certificato di Shop scade tra 1 giorno',
  )
  t.equal(
    it.domainExpires({ domain: 'shop.test', days: 7 }),
    'Il dominio shop.test scade tra 7 giorni',
  )
  t.equal(it.incidentsOpened({ count: 1 }), '1 incidente aperto')
  t.equal(it.incidentsOpened({ count: 12 }), '12 incidenti aperti')
  t.equal(it.incidentsResolved({ count: 2 }), '2 incidenti risolti')
  t.equal(it.more({ count: 1 }), '1 altro')
  t.equal(it.more({ count: 3 }), 'altri 3')
})

t.test('Portuguese: one of a thing, and several', async (t) => {
  const pt = textsOf('channels', 'pt')
  t.equal(
    pt.certificateExpires({ name: 'Shop', days: 0 }),
    'O certificado de Shop expira em menos de um dia',
  )
  t.equal(pt.certificateExpires({ name: 'Shop', days: 1 }), 'O certificado de Shop expira em 1 dia')
  t.equal(
    pt.domainExpires({ domain: 'shop.test', days: 7 }),
    'O domínio shop.test expira em 7 dias',
  )
  t.equal(pt.incidentsOpened({ count: 1 }), '1 incidente aberto')
  t.equal(pt.incidentsOpened({ count: 12 }), '12 incidentes abertos')
  t.equal(pt.incidentsResolved({ count: 1 }), '1 incidente resolvido')
  t.equal(pt.incidentsResolved({ count: 2 }), '2 incidentes resolvidos')
})

t.test('Dutch: one of a thing, and several', async (t) => {
  const nl = textsOf('channels', 'nl')
  t.equal(
    nl.certificateExpires({ name: 'Shop', days: 0 }),
    'Het certificaat van Shop verloopt over minder dan een dag',
  )
  t.equal(
    nl.certificateExpires({ name: 'Shop', days: 1 }),
    'Het certificaat van Shop verloopt over 1 dag',
  )
  t.equal(
    nl.domainExpires({ domain: 'shop.test', days: 7 }),
    'Het domein shop.test verloopt over 7 dagen',
  )
  t.equal(nl.incidentsOpened({ count: 1 }), '1 nieuw incident')
  t.equal(nl.incidentsOpened({ count: 12 }), '12 nieuwe incidenten')
  t.equal(nl.incidentsResolved({ count: 1 }), '1 incident opgelost')
  t.equal(nl.incidentsResolved({ count: 2 }), '2 incidenten opgelost')
})

t.test('Polish: one, a few, and many of a thing', async (t) => {
  const pl = textsOf('channels', 'pl')
  t.equal(
    pl.certificateExpires({ name: 'Shop', days: 0 }),
    'Certyfikat Shop wygasa za mniej niż jeden dzień',
  )
  t.equal(pl.certificateExpires({ name: 'Shop', days: 1 }), 'Certyfikat Shop wygasa za 1 dzień')
  t.equal(pl.domainExpires({ domain: 'shop.test', days: 3 }), 'Domena shop.test wygasa za 3 dni')
  t.equal(pl.domainExpires({ domain: 'shop.test', days: 14 }), 'Domena shop.test wygasa za 14 dni')
  t.equal(pl.incidentsOpened({ count: 1 }), 'Otwarto 1 incydent')
  t.equal(pl.incidentsOpened({ count: 2 }), 'Otwarto 2 incydenty')
  t.equal(pl.incidentsOpened({ count: 5 }), 'Otwarto 5 incydentów')
  t.equal(pl.incidentsOpened({ count: 12 }), 'Otwarto 12 incydentów')
  t.equal(pl.incidentsOpened({ count: 22 }), 'Otwarto 22 incydenty')
  t.equal(pl.incidentsResolved({ count: 25 }), 'Rozwiązano 25 incydentów')
})

t.test('Japanese: numbers take a counter and change nothing else', async (t) => {
  const ja = textsOf('channels', 'ja')
  t.equal(
    ja.certificateExpires({ name: 'Shop', days: 0 }),
    'Shop の証明書は1日以内に期限切れになります',
  )
  t.equal(
    ja.certificateExpires({ name: 'Shop', days: 1 }),
    'Shop の証明書はあと1日で期限切れになります',
  )
  t.equal(
    ja.domainExpires({ domain: 'shop.test', days: 7 }),
    'ドメイン shop.test はあと7日で期限切れになります',
  )
  t.equal(ja.incidentsOpened({ count: 1 }), '1件のインシデントが発生しました')
  t.equal(ja.incidentsResolved({ count: 12 }), '12件のインシデントが解決しました')
  t.equal(ja.more({ count: 3 }), '他3件')
})

t.test('Chinese: numbers are set off by spaces and change nothing else', async (t) => {
  const zh = textsOf('channels', 'zh')
  t.equal(zh.certificateExpires({ name: 'Shop', days: 0 }), 'Shop 的证书还有不到一天到期')
  t.equal(zh.certificateExpires({ name: 'Shop', days: 1 }), 'Shop 的证书还有 1 天到期')
  t.equal(zh.domainExpires({ domain: 'shop.test', days: 7 }), '域名 shop.test 还有 7 天到期')
  t.equal(zh.incidentsOpened({ count: 1 }), '新增 1 个事件')
  t.equal(zh.incidentsResolved({ count: 12 }), '12 个事件已恢复')
  t.equal(zh.more({ count: 3 }), '另外 3 个')
})

t.test('Turkish: a noun stays singular after a number', async (t) => {
  const tr = textsOf('channels', 'tr')
  t.equal(
    tr.certificateExpires({ name: 'Shop', days: 0 }),
    'Shop: sertifikanın süresi bir günden kısa süre içinde doluyor',
  )
  t.equal(
    tr.certificateExpires({ name: 'Shop', days: 1 }),
    'Shop: sertifikanın süresi 1 gün içinde doluyor',
  )
  t.equal(
    tr.domainExpires({ domain: 'shop.test', days: 7 }),
    'shop.test: alan adının süresi 7 gün içinde doluyor',
  )
  t.equal(tr.incidentsOpened({ count: 1 }), '1 olay açıldı')
  t.equal(tr.incidentsResolved({ count: 12 }), '12 olay çözüldü')
})

t.test('Arabic: one, two, a few, many, and hundreds of a thing', async (t) => {
  const ar = textsOf('channels', 'ar')
  t.equal(
    ar.domainExpires({ domain: 'shop.test', days: 0 }),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال أقل من يوم',
  )
  t.equal(
    ar.domainExpires({ domain: 'shop.test', days: 1 }),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال يوم واحد',
  )
  t.equal(
    ar.domainExpires({ domain: 'shop.test', days: 2 }),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال يومين',
  )
  t.equal(
    ar.domainExpires({ domain: 'shop.test', days: 7 }),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال 7 أيام',
  )
  t.equal(
    ar.domainExpires({ domain: 'shop.test', days: 14 }),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال 14 يومًا',
  )
  t.equal(ar.incidentsOpened({ count: 1 }), 'تم فتح حادث واحد')
  t.equal(ar.incidentsOpened({ count: 2 }), 'تم فتح حادثين')
  t.equal(ar.incidentsOpened({ count: 3 }), 'تم فتح 3 حوادث')
  t.equal(ar.incidentsOpened({ count: 11 }), 'تم فتح 11 حادثًا')
  t.equal(ar.incidentsOpened({ count: 100 }), 'تم فتح 100 حادث')
  t.equal(ar.incidentsResolved({ count: 103 }), 'تم حل 103 حوادث')
  t.equal(ar.more({ count: 2 }), 'اثنان آخران')
})

t.test('Arabic: a name in another script keeps its order', async (t) => {
  const ar = textsOf('channels', 'ar')
  t.equal(ar.isDown({ name: 'Shop <1>' }), 'انقطاع في \u2068Shop <1>\u2069')
})

t.test('public pages have the right form for each number', async (t) => {
  const counts = [0, 1, 2, 5, 11, 21]
  const forms = (language: Language) =>
    counts.map((count) => textsOf('status-page', language).history.incidents({ count }))
  t.same(forms('en'), [
    '0 incidents',
    '1 incident',
    '2 incidents',
    '5 incidents',
    '11 incidents',
    '21 incidents',
  ])
  t.same(forms('de'), [
    '0 Vorfälle',
    '1 Vorfall',
    '2 Vorfälle',
    '5 Vorfälle',
    '11 Vorfälle',
    '21 Vorfälle',
  ])
  t.same(forms('fr').slice(0, 3), ['0 incident', '1 incident', '2 incidents'])
  t.same(forms('pt').slice(0, 3), ['0 incidentes', '1 incidente', '2 incidentes'])
  t.same(forms('pl'), [
    '0 incydentów',
    '1 incydent',
    '2 incydenty',
    '5 incydentów',
    '11 incydentów',
    '21 incydentów',
  ])
  t.equal(textsOf('status-page', 'pl').history.incidents({ count: 22 }), '22 incydenty')
  t.same(forms('ar'), ['0 حادث', 'حادث واحد', 'حادثان', '5 حوادث', '11 حادثًا', '21 حادثًا'])
  t.equal(textsOf('status-page', 'ar').days.daysAgo({ days: 90 }), 'قبل 90 يومًا')
  t.same(forms('ja')[5], 'インシデント 21 件')
})
