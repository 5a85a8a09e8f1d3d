// The report of a shadow run: the address for the old system, which can be replaced, and going live.
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { needOf, register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'

t.test(
  'the address of the old system is replaced, and the monitors go live',
  { skip },
  async (t) => {
    const { daemon, show } = await startConsole(t)
    const owner = await register(daemon, 'mover')
    const mine = needOf(daemon, owner)
    const { importId } = await mine('POST', '/import?isShadow=true', {
      ...{ format: 'stillup/1', source: { product: 'kuma', installation: 'of a test' } },
      monitors: [{ origin: 'monitor/1', name: 'Lift', checkType: 'manual' }],
    })
    const { reportUrl } = await mine('GET', `/imports/${importId}/shadow`)
    await daemon.need('POST', new URL(reportUrl).pathname.replace('/api/v1', ''), {
      json: { name: 'Lift', status: 'down', message: 'It is stuck.' },
    })
    const { page, complaints } = await show(`/app/imports/${importId}`, owner)
    await page.getByText('1 monitor is silent').waitFor()
    await page.getByText('It is stuck.').waitFor()
    await page.getByText('Address for the old system').click()
    await page.getByText(reportUrl).waitFor()
    await page.getByRole('button', { name: 'Replace the address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the address' }).click()
    await page.getByText('The address was replaced.').waitFor()
    const replaced = await mine('GET', `/imports/${importId}/shadow`)
    t.not(replaced.reportUrl, reportUrl)
    if (!(await page.getByText(replaced.reportUrl).isVisible())) {
      await page.getByText('Address for the old system').click()
    }
    await page.getByText(replaced.reportUrl).waitFor()
    await page.getByRole('button', { name: 'Go live' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
    await page.getByText('1 monitor is live').waitFor()
    t.same(complaints, [])
  },
)

t.test('what stays silent after an undo can still go live', { skip }, async (t) => {
  const { daemon, show } = await startConsole(t)
  const owner = await register(daemon, 'mover')
  const mine = needOf(daemon, owner)
  const { importId } = await mine('POST', '/import?isShadow=true', {
    ...{ format: 'stillup/1', source: { product: 'kuma', installation: 'of a test' } },
    monitors: ['Lift', 'Door'].map((name) => ({
      ...{ origin: `monitor/${name}`, name, checkType: 'manual' },
    })),
  })
  const [door] = await mine('GET', '/monitors?q=door')
  await mine('PATCH', `/monitors/${door.id}`, { description: 'ours now' })
  await mine('POST', `/imports/${importId}/undo`)
  const { page, complaints } = await show(`/app/imports/${importId}`, owner)
  await page.getByText('1 monitor is silent').waitFor()
  await page.getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await page.getByText('They are live now.').waitFor()
  await page.getByText('Beside the old system').waitFor({ state: 'detached' })
  t.same(complaints, [])
})
