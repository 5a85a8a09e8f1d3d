// Which addresses of NATS servers a cluster may use.
import { isLoopbackUrl } from '../domain/sign-in/oidc.ts'

/**
 * Why a cluster must not use this address; undefined if it may. The reason does not repeat the address, which
 * may have a password in it.
 */
export function serverProblem(server: string): string | undefined {
  const url = URL.parse(server)
  if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '') {
    return 'must be an address like tls://nats.example:4222'
  }
  if (url.username !== '' || url.password !== '') return 'must have no credentials in it'
  if (url.protocol === 'nats:' && !isLoopbackUrl(url)) {
    return 'must begin with tls://, because others can overhear nats:// outside of this machine'
  }
  return undefined
}
