// The fields of monitors, as they are declared.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

t.test(
  'a field is named where it is declared, where people set it, and where it is used',
  async (t) => {
    const src = join(import.meta.dirname, '../../../src')
    const files = globSync('**/*.{ts,tsx}', { cwd: src }).filter(
      (file) => !/^console\/(built|generated)\//.test(file),
    )
    const texts = files.map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
    const naming = (field: string) =>
      texts
        .filter(([, text]) => text.includes(field))
        .map(([file]) => file)
        .sort()
    const declared = [
      'domain/monitors/monitor-fields.ts',
      'http/api/monitors/monitor-input-schemas.ts',
    ]
    // Where the guide tells of a field.
    const guide = 'console/base/guide.ts'
    const without = (used: readonly string[]) => (file: string) => !used.includes(file)
    t.same(
      naming('autoRecoveryMinutes').filter(
        without([guide, 'domain/imports/kuma/kuma-monitor.ts', 'domain/schedule/push-deadline.ts']),
      ),
      [...declared],
    )
    const uses = [
      guide,
      'actors/monitor/reports.ts',
      'domain/imports/healthchecks/healthchecks.ts',
      'domain/schedule/push-deadline.ts',
      'domain/schedule/push-runs.ts',
      'http/api/monitors/runs.ts',
      'services/monitors/ping-keys.ts',
    ]
    t.same(naming('maxRunSeconds').filter(without(uses)), [
      'console/pages/monitors/editor/monitor-fields.tsx',
      ...declared,
    ])
  },
)
