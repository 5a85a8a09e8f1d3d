// A window of planned work, as the API lists it.
import type { Item } from '../../api/client.ts'

export type MaintenanceWindow = Item<'maintenance-windows.list'>
