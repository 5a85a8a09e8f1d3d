// The names of the recurring tasks of the daemon.
export const taskNames = [
  'retention',
  'audit',
  'outbox',
  'credentials',
  'identity',
  'referrals',
  'objectives',
  'imports',
  'domains',
  'subscribers',
  'exports',
  'integrity',
  'space',
  'consistency',
  'backup',
  'certificates',
] as const

export type TaskName = (typeof taskNames)[number]
