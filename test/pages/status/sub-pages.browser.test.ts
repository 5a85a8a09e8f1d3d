// The pages of incidents and months in a real browser: hostile texts run nothing.
import t from 'tap'
import { required } from '../../../src/base/assert.ts'
import { toText } from '../../../src/pages/html.ts'
import { historyPage } from '../../../src/pages/status/history-page.ts'
import { incidentPage } from '../../../src/pages/status/incident-page.ts'
import type { PublicIncident, PublicMonth } from '../../../src/pages/view/public-page.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { foreignIn } from '../../support/browser-parser.ts'
import { documentContext } from '../../support/document-context.ts'
import { noonMs } from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'
import { documentUrl, openDocument } from '../../support/served-document.ts'
import { payloads } from '../../support/xss-payloads.ts'

const skip = skipWithoutBrowser

const view = seededPage({ monitors: 20, isOnFire: true })
const sample = required(view.incidents?.[0])

function month(incidents: readonly PublicIncident[]): PublicMonth {
  const { maintenance } = view
  return {
    month: '2026-05',
    earlier: '2026-04',
    later: '2026-06',
    incidents,
    isWhole: true,
    maintenance,
  }
}

function pagesOf(incident: PublicIncident): readonly string[] {
  const context = documentContext(view, { language: 'en' })
  const history = historyPage(context, month([incident, ...(view.incidents ?? [])]))
  return [toText(incidentPage(context, incident)), toText(history)]
}

const entries = payloads.map((message) => ({ atMs: noonMs, kind: 'update', message }) as const)
const hostile = (title: string, updates: typeof entries): PublicIncident => ({
  ...sample,
  ...{ title, titleKind: null, monitorNames: [title], updates },
  postmortem: updates.map(({ message }) => `# ${message}\n\n[a](${message})`).join('\n\n'),
})

const foreignParts = "script:not([src^='/assets/']),iframe,object,embed,form,img,base,style,svg"

t.test('no hostile text in a title, an update or a post-mortem runs', { skip }, async (t) => {
  let body = ''
  const { page, complaints } = await openDocument(t, () => body)
  // Each title has a document of its own, so each message needs only one of them.
  const documents = payloads.flatMap((text, at) =>
    pagesOf(hostile(text, entries.slice(at, at + 1))),
  )
  const foreign = await foreignIn(page, documents, foreignParts)
  t.same(foreign, Array(documents.length).fill(0))
  for (const made of pagesOf(hostile(payloads.join(' '), entries))) {
    body = made
    await page.goto(documentUrl)
    t.equal(await page.locator(foreignParts).count(), 0)
  }
  t.same(complaints, [], 'no dialog, no error, no violation of the policy')
})
