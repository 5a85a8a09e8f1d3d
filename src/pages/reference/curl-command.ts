// The curl command of an operation, with the shell variables and cookie file of the first steps.
import type { Placed } from './openapi-types.ts'

/** A command for a shell: what the caller has to fill in are variables, such as `$ORG`. */
export function curlCommand({ method, path, operation }: Placed, baseUrl: string): string {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const [body] = Object.entries(operation.requestBody?.content ?? {})
  const example = body?.[1].example
  const parts = [
    method === 'GET' ? 'curl -sS' : `curl -sS -X ${method}`,
    ...credentialOf(operation.security),
    ...(example === undefined
      ? []
      : [`-H 'content-type: ${body?.[0]}'`, `-d ${quoted(JSON.stringify(example))}`]),
    `"${baseUrl}${place}"`,
  ]
  return parts.join(' \\\n  ')
}

/** `orgId` is ORG, as in the first steps; `monitorId` is MONITOR_ID. */
function variableOf(name: string): string {
  if (name === 'orgId') return 'ORG'
  return name.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()
}

function credentialOf(security: Placed['operation']['security']): string[] {
  const schemes = security.flatMap((one) => Object.keys(one))
  if (schemes.includes('apiKey')) return ['-H "x-api-key: $KEY"']
  if (schemes.includes('sessionHeader')) return ['-H "auth-token: $SESSION"']
  if (schemes.includes('bearer')) return ['-H "authorization: Bearer $SYSTEM_TOKEN"']
  return schemes.includes('session') ? ['-b stillup.cookies'] : []
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
