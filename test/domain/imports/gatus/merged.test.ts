// The files of a folder become one configuration.
import t from 'tap'
import { merged } from '../../../../src/domain/imports/gatus/merged.ts'

const mergedOf = (configs: readonly unknown[]) =>
  merged(configs.map((config, index) => ({ name: `${index}.yaml`, config })))

t.test('maps become one, lists follow each other', async (t) => {
  t.same(
    mergedOf([
      { alerting: { slack: { 'webhook-url': 'a' } }, endpoints: [1] },
      null,
      { alerting: { discord: {}, slack: { title: 'b' } }, endpoints: [2], metrics: true },
    ]),
    {
      alerting: { slack: { 'webhook-url': 'a', title: 'b' }, discord: {} },
      endpoints: [1, 2],
      metrics: true,
    },
  )
  t.same(Object.keys(Object(mergedOf([JSON.parse('{"__proto__": {"a": 1}}'), {}]))), ['__proto__'])
  t.equal(Object.hasOwn(Object.prototype, 'a'), false)
})

t.test('a value that two files set is refused, as by Gatus', async (t) => {
  const message =
    'sets ui.title in 0.yaml and in 1.yaml: Gatus refuses that, so import each configuration apart'
  t.throws(() => mergedOf([{ ui: { title: 'a' } }, { ui: { title: 'b' } }]), { message })
})
