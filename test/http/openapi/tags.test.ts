// The groups of operations, and the examples that tell one story in all of them.
import t from 'tap'
import { apiRoutes } from '../../../src/http/api/api.ts'
import { exampleMonitor } from '../../../src/http/openapi/examples.ts'
import { describedTags } from '../../../src/http/openapi/tags.ts'

t.test('every group of operations says what it is about', (t) => {
  const silent = describedTags(apiRoutes).filter(({ description }) => description === undefined)
  t.same(silent, [])
  t.end()
})

t.test('the monitor that is created is also the one that is imported', (t) => {
  const exampleOf = (route: string) => apiRoutes.find(({ name }) => name === route)?.spec.example
  t.equal(exampleOf('monitors.create'), exampleMonitor)
  t.match(exampleOf('orgs.tryImport'), { monitors: [exampleMonitor] })
  t.end()
})

t.test('a group that has no place yet comes last', (t) => {
  const routes = [
    { tag: 'newest', about: 'New.' },
    { tag: 'monitors', about: undefined },
  ]
  t.same(describedTags(routes), [{ name: 'monitors' }, { name: 'newest', description: 'New.' }])
  t.end()
})
