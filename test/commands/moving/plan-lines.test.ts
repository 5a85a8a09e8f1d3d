// What a person reads of the plan of an import.
import t from 'tap'
import { planLines } from '../../../src/commands/moving/plan-lines.ts'
import type { PlanLine } from '../../../src/domain/imports/import-record.ts'

const line = (over: Partial<PlanLine>): PlanLine => ({
  list: 'monitors',
  name: 'Site',
  origin: 'monitor/1',
  action: 'create',
  id: 'mon_1',
  fields: [],
  ...over,
})

t.test('a plan is a line for each item, by list and by what is done', async (t) => {
  const plan = [
    line({ list: 'channels', name: 'Hook', origin: null }),
    line({}),
    line({ name: 'Job', action: 'change', fields: ['tags', 'url'] }),
    line({ name: 'Same', action: 'keep' }),
    line({ name: 'Old', action: 'goneThere' }),
    line({ name: 'Odd', action: 'leftOut', reason: 'url must be a URL' }),
  ]
  t.same(planLines(plan, true), [
    '1 monitor created:',
    '  Site (monitor/1)',
    '1 monitor changed:',
    '  Job (monitor/1): tags, url',
    '1 monitor left as before',
    '1 monitor no longer in the document, and kept:',
    '  Old (monitor/1)',
    '1 monitor left out:',
    '  Odd (monitor/1): url must be a URL',
    '1 alert channel created:',
    '  Hook',
  ])
  t.same(planLines(plan, false).slice(0, 3), [
    '1 monitor changed:',
    '  Job (monitor/1): tags, url',
    '1 monitor left as before',
  ])
})

t.test('what comes without something is named in any case', async (t) => {
  const reason = 'comes without its slug: The slug p is taken.'
  const plan = [line({}), line({ list: 'statusPages', name: 'P', origin: null, reason })]
  t.same(planLines(plan, false), [
    '1 status page created with something left out:',
    `  P: ${reason}`,
  ])
  const many = [...Array.from({ length: 30 }, () => line({})), line({ name: 'Job', reason })]
  t.equal(planLines(many, true)[1], `  Job (monitor/1): ${reason}`, 'it is among those named')
})

t.test('a long list is cut, and the rest counted; names cannot steer a terminal', async (t) => {
  const plan = Array.from({ length: 700 }, (_, no) => line({ name: `\u001b[2J${no}` }))
  const lines = planLines(plan, true)
  t.equal(lines.length, 22)
  t.equal(lines.at(-1), '  … and 680 more')
  t.notOk(lines.join('').includes('\u001b'))
})
