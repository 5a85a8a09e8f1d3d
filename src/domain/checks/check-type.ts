// The kinds of checks, and which of them use HTTP.

export const checkTypes = [
  'endpoint',
  'health',
  'keyword',
  'ssl',
  'ping',
  'push',
  'tcp',
  'dns',
  'websocket',
  'smtp',
  'domain',
] as const
export type CheckType = (typeof checkTypes)[number]

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
