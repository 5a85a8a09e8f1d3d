// The URLs of what is checked. As all checks of a host are made in one thread, there may be several hosts.

/** All are this machine. */
export const hosts = Array.from({ length: 32 }, (_, at) => `127.0.0.${at + 1}`)

/** The URL of a monitor; `{host}` in the prefix stands for one of the hosts. */
export function urlOf(prefix: string, number: number): string {
  return `${prefix.replace('{host}', hosts[number % hosts.length] ?? '')}${number}`
}
