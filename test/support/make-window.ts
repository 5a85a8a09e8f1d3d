// Maintenance windows for tests: of organization A, for every monitor, on once.
import { newId } from '../../src/base/ids.ts'
import type { MaintenanceWindow } from '../../src/domain/maintenance/window.ts'
import { orgA } from './make-incident.ts'

/** Made at `coversFromMs`. */
export function makeWindow(
  window: Partial<MaintenanceWindow> & Pick<MaintenanceWindow, 'times'>,
): MaintenanceWindow {
  const nowMs = window.coversFromMs ?? 0
  return {
    id: newId('maintenance', nowMs),
    orgId: orgA,
    name: 'Upgrade',
    description: null,
    monitorIds: [],
    tags: [],
    isPublic: false,
    coversFromMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
    ...window,
  }
}
