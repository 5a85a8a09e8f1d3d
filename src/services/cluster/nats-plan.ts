// What three NATS servers need to keep the log of a cluster.
import { memberRights } from '../../cluster/objects.ts'

export interface NatsPlan {
  /** Files by their names. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Configurations of three NATS servers, with the keys of the members and of an operator. `hosts`: the address
 * of each member by its name.
 */
export async function planNats(
  cell: string,
  hosts: Readonly<Record<string, string>>,
): Promise<NatsPlan> {
  const { newUserKey } = await import('../../cluster/user-key.ts')
  const names = Object.keys(hosts)
  const keys = new Map(names.map((name) => [name, newUserKey()]))
  const operator = newUserKey()
  const files: Record<string, string> = { 'operator.nk': `${operator.seed}\n` }
  const users = [
    { nkey: operator.user },
    ...names.map((name) => ({
      nkey: keys.get(name)?.user,
      permissions: memberRights(cell, name),
    })),
  ]
  const routes = names.map((name) => `tls://${hosts[name]}:6222`)
  const tls = {
    cert_file: '/etc/nats/cert.pem',
    key_file: '/etc/nats/key.pem',
    ca_file: '/etc/nats/ca.pem',
  }
  for (const name of names) {
    const settings = {
      server_name: name,
      listen: '0.0.0.0:4222',
      http: '127.0.0.1:8222',
      max_payload: 8 * 1024 * 1024,
      jetstream: {
        store_dir: '/var/lib/nats',
        // Two logs: a server may not have deleted the former one yet when a new one begins.
        max_file_store: 20 * 1024 ** 3,
        sync_interval: 'always',
      },
      tls,
      cluster: { name: `stillup-${cell}`, listen: '0.0.0.0:6222', tls, routes },
      authorization: { users },
    }
    files[`nats-${name}.conf`] = `${JSON.stringify(settings, null, 2)}\n`
    files[`${name}.nk`] = `${keys.get(name)?.seed}\n`
  }
  return { files }
}
