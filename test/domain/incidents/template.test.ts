// What a template of each kind may say.
import t from 'tap'
import { type Template, templateProblems } from '../../../src/domain/incidents/template.ts'

const plain = { severity: 'declared', tags: [], durationMinutes: null } as const
const pointersOf = (template: Partial<Template>) =>
  templateProblems({ ...plain, kind: 'incident', ...template } as Template).map(
    ({ pointer }) => pointer,
  )

t.test('impact is of incidents; tags and duration are of maintenance', async (t) => {
  t.same(pointersOf({ severity: 'down' }), [])
  t.same(pointersOf({ tags: ['web'], durationMinutes: 30 }), ['/tags', '/durationMinutes'])
  t.same(pointersOf({ kind: 'maintenance', tags: ['web'], durationMinutes: 30 }), [])
  t.same(pointersOf({ kind: 'maintenance', severity: 'degraded' }), ['/severity'])
})
