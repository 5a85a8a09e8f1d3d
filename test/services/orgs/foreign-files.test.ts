// Files of other products: what each is read as, and what is said of a file that is none.
import t from 'tap'
import { stringify } from 'yaml'
import { convertFile, foreignProducts } from '../../../src/services/orgs/foreign-files.ts'
import { betterstackAnswer } from '../../support/betterstack-samples.ts'
import { blackboxFile } from '../../support/blackbox-samples.ts'
import { checklyAnswer } from '../../support/checkly-samples.ts'
import { gatusConfig, healthchecksAnswer, kumaBackup } from '../../support/foreign-samples.ts'
import { oneuptimeFile } from '../../support/oneuptime-samples.ts'
import { pingdomAnswer } from '../../support/pingdom-samples.ts'
import { statuspageSample } from '../../support/statuspage-samples.ts'
import { uptimerobotAnswer } from '../../support/uptimerobot-samples.ts'

t.test('each product is read in the form that it writes', async (t) => {
  const texts = {
    kuma: JSON.stringify(kumaBackup),
    gatus: stringify(gatusConfig),
    oneuptime: oneuptimeFile,
    healthchecks: JSON.stringify(healthchecksAnswer),
    uptimerobot: JSON.stringify(uptimerobotAnswer),
    betterstack: JSON.stringify(betterstackAnswer),
    pingdom: JSON.stringify(pingdomAnswer),
    checkly: JSON.stringify(checklyAnswer),
    statuspage: JSON.stringify(statuspageSample()),
    blackbox: blackboxFile,
    csv: 'name,type,url\nA,ping,192.0.2.1\nB,ftp,x\n',
  }
  for (const product of foreignProducts) {
    const { document, notes } = convertFile(product, texts[product])
    t.equal(document.format, 'stillup/1')
    t.ok(document.monitors.length > 0 && notes.length > 0, product)
  }
})

t.test('a file is read in one pass: its keys are not compared, the last one counts', async (t) => {
  const text = 'endpoints:\n  - name: a\n    url: http://127.0.0.1/\n    name: b'
  const { monitors } = convertFile('gatus', text).document
  t.match(monitors, [{ name: 'b', url: 'http://127.0.0.1/' }])
})

t.test('a file of something else is refused in one sentence', async (t) => {
  const refused = (product: (typeof foreignProducts)[number], text: string, message: RegExp) =>
    t.throws(() => convertFile(product, text), { name: 'ForeignFileRefused', message })
  refused('kuma', '{', /^is not JSON: /)
  refused('gatus', 'endpoints: [}', /^is not YAML: /)
  refused('healthchecks', '{}', /^has no monitors in the form of healthchecks$/)
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]']
  bomb.push(
    'c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]',
    'd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]',
    'e: [*d,*d]',
  )
  refused('gatus', bomb.join('\n'), /alias/)
})
