// The help of the console leads to pages of the guide that exist.
import t from 'tap'
import { consoleLanguages } from '../../../scripts/console/texts.ts'
import { buildGuide } from '../../../scripts/guide/build.ts'
import { guideOfField, guideOfPlace, guidePages } from '../../../src/console/base/guide.ts'

t.test('every page that places and fields lead to is in the guide', async (t) => {
  const { files } = await buildGuide()
  for (const address of guidePages) {
    const [page = '', anchor] = address.replace('/guide/', '').split('#')
    const text = files.get(`${page}.html`)?.toString() ?? ''
    t.ok(text.includes(anchor === undefined ? '<h1>' : ` id="${anchor}"`), address)
  }
})

t.test('a place has the page of its area, and any other place that of the console', async (t) => {
  t.equal(guideOfPlace('/app/channels/chn_01?org=org_01', 'de'), '/guide/alerts')
  t.equal(guideOfPlace('/app/monitors/mon_01/edit', 'de'), '/guide/recipes')
  t.equal(guideOfPlace('/app/people?org=org_01&tab=keys', 'de'), '/guide/api#a-key')
  t.equal(guideOfPlace('/app?state=down', 'de'), '/guide/console')
})

t.test('the first run has the first steps in each language of the console', async (t) => {
  const { files } = await buildGuide()
  for (const language of Object.keys(consoleLanguages())) {
    const page = guideOfPlace('/app/setup', language).replace('/guide/', '')
    t.match(files.get(`${page}.html`)?.toString(), `<html lang="${language}"`, page)
  }
})

t.test('a field has the section about it, or none', async (t) => {
  t.equal(guideOfField('/schedule'), '/guide/push#schedules')
  t.equal(guideOfField('/name'), undefined)
})
